import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLastAnswers, type Vault } from './last-answers.ts';

/** A vault as the system's: the text does not show. */
const vault: Vault = {
  isAvailable: async () => true,
  encrypt: async (text) => Buffer.from(Buffer.from(text).toString('base64')),
  decrypt: async (sealed) => Buffer.from(sealed.toString(), 'base64').toString(),
};

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-answers-'));
  file = join(folder, 'deep', 'answers');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => new URL(path, 'https://chat.example.org');

test('covers what a first screen needs, and no page or search', async () => {
  const { covers } = await openLastAnswers(file, vault);
  for (const path of ['/api/config', '/api/users/current', '/api/chatrooms/chats/0192-ab']) {
    expect(covers(at(path))).toBe(true);
  }
  for (const path of ['/api/chatrooms/chats/1?before=9', '/api/users/sessions', '/media/a.png']) {
    expect(covers(at(path))).toBe(false);
  }
});

test('is back after a restart, unreadable on the disk', async () => {
  const first = await openLastAnswers(file, vault);
  first.remember('/api/config', '{"secret":1}', 0);
  await first.save();
  expect(await readFile(file, 'utf8')).not.toContain('secret');
  expect((await openLastAnswers(file, vault)).recall('/api/config')).toBe('{"secret":1}');
});

test('without a key of the system nothing reaches the disk', async () => {
  const answers = await openLastAnswers(file, { ...vault, isAvailable: async () => false });
  answers.remember('/api/config', '{}', 0);
  await answers.save();
  expect(answers.recall('/api/config')).toBe('{}');
  expect(await readdir(folder)).toEqual([]);
});

test('keeps the newest rooms and drops the others', async () => {
  const answers = await openLastAnswers(file, vault);
  answers.remember('/api/config', '{}', 0);
  for (let room = 0; room < 200; room += 1)
    answers.remember(`/api/chatrooms/chats/${room}`, '{}', 0);
  expect(answers.recall('/api/chatrooms/chats/0')).toBeUndefined();
  expect(answers.recall('/api/chatrooms/chats/199')).toBe('{}');
  expect(answers.recall('/api/config')).toBe('{}');
  answers.remember('/api/chatrooms/chats/7', 'x'.repeat(2_000_001), 0);
  expect(answers.recall('/api/chatrooms/chats/7')).toBeUndefined();
});

test('forgetting leaves nothing, in memory or on the disk', async () => {
  const answers = await openLastAnswers(file, vault);
  answers.remember('/api/config', '{}', 0);
  await answers.save();
  answers.forget();
  await answers.save();
  expect(answers.recall('/api/config')).toBeUndefined();
  expect(await readdir(join(folder, 'deep'))).toEqual([]);
});

test('a file that cannot be read is as none', async () => {
  const broken = join(folder, 'answers');
  await writeFile(broken, 'no such thing');
  expect((await openLastAnswers(broken, vault)).recall('/api/config')).toBeUndefined();
});

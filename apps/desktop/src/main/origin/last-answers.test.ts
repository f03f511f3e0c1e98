import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Vault } from '../storage-key/storage-key.ts';
import { openLastAnswers } from './last-answers.ts';

/** Hides the text, as the system's vault does. */
const vault: Vault = {
  encrypt: async (text) => Buffer.from(Buffer.from(text).toString('base64')),
  decrypt: async (sealed) => ({
    text: Buffer.from(sealed.toString(), 'base64').toString(),
    isStale: false,
  }),
};

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-answers-'));
  file = join(folder, 'deep', 'answers');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => new URL(path, 'https://chat.example.org');

test('covers what the first screen needs, but no further pages or searches', async () => {
  const { covers } = openLastAnswers(file, vault);
  for (const path of ['/api/config', '/api/users/current', '/api/chatrooms/chats/0192-ab']) {
    expect(covers(at(path))).toBe(true);
  }
  for (const path of ['/api/chatrooms/chats/1?before=9', '/api/users/sessions', '/media/a.png']) {
    expect(covers(at(path))).toBe(false);
  }
});

test('recalls a response after a restart and keeps it unreadable on the disk', async () => {
  const first = openLastAnswers(file, vault);
  first.remember('/api/config', '{"secret":1}', 0);
  await first.save();
  expect(await readFile(file, 'utf8')).not.toContain('secret');
  expect(await openLastAnswers(file, vault).recall('/api/config')).toBe('{"secret":1}');
});

test('writes nothing to the disk on a system without a key', async () => {
  const answers = openLastAnswers(file, {
    ...vault,
    encrypt: () => Promise.reject(new Error('no key')),
  });
  answers.remember('/api/config', '{}', 0);
  await answers.save();
  expect(await answers.recall('/api/config')).toBe('{}');
  expect(await readdir(folder)).toEqual([]);
});

test('keeps the latest chatrooms and discards the others', async () => {
  const answers = openLastAnswers(file, vault);
  answers.remember('/api/config', '{}', 0);
  for (let room = 0; room < 200; room += 1)
    answers.remember(`/api/chatrooms/chats/${room}`, '{}', 0);
  expect(await answers.recall('/api/chatrooms/chats/0')).toBeUndefined();
  expect(await answers.recall('/api/chatrooms/chats/199')).toBe('{}');
  expect(await answers.recall('/api/config')).toBe('{}');
  answers.remember('/api/chatrooms/chats/7', 'x'.repeat(2_000_001), 0);
  expect(await answers.recall('/api/chatrooms/chats/7')).toBeUndefined();
});

test('leaves nothing in memory or on the disk after forgetting', async () => {
  const answers = openLastAnswers(file, vault);
  answers.remember('/api/config', '{}', 0);
  await answers.save();
  answers.forget();
  await answers.save();
  expect(await answers.recall('/api/config')).toBeUndefined();
  expect(await readdir(join(folder, 'deep'))).toEqual([]);
});

test('treats a file that cannot be decrypted as missing', async () => {
  const broken = join(folder, 'answers');
  await writeFile(broken, 'no such thing');
  expect(await openLastAnswers(broken, vault).recall('/api/config')).toBeUndefined();
});

describe('while the keyring is locked', () => {
  let unlock: () => void;
  let locked: Vault;
  beforeEach(async () => {
    const before = openLastAnswers(file, vault);
    before.remember('/api/config', '{"before":1}', 0);
    await before.save();
    const opened = Promise.withResolvers<void>();
    unlock = opened.resolve;
    const wait = <T>(use: () => Promise<T>) => opened.promise.then(use);
    locked = {
      encrypt: (text) => wait(() => vault.encrypt(text)),
      decrypt: (sealed) => wait(() => vault.decrypt(sealed)),
    };
  });

  test('opens at once, and recalls the saved responses after the unlocking', async () => {
    const answers = openLastAnswers(file, locked);
    answers.remember('/api/users/current', '{"now":1}', answers.era());
    const recalled = answers.recall('/api/config');
    unlock();
    expect(await recalled).toBe('{"before":1}');
    expect(await answers.recall('/api/users/current')).toBe('{"now":1}');
  });

  test('prefers a response that came in before the file was read', async () => {
    const answers = openLastAnswers(file, locked);
    answers.remember('/api/config', '{"now":1}', answers.era());
    unlock();
    expect(await answers.recall('/api/config')).toBe('{"now":1}');
  });

  test('erases the file without waiting for the key, and never brings it back', async () => {
    const answers = openLastAnswers(file, locked);
    answers.remember('/api/config', '{"now":1}', answers.era());
    const saved = answers.save();
    answers.forget();
    await expect.poll(() => readdir(join(folder, 'deep'))).toEqual([]);
    unlock();
    await saved;
    expect(await answers.recall('/api/config')).toBeUndefined();
    expect(await readdir(join(folder, 'deep'))).toEqual([]);
  });
});

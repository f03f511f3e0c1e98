import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettings } from './settings-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-settings-'));
  file = join(folder, 'deep', 'settings.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('starts with the defaults if there is no file', async () => {
  const settings = (await openSettings(file)).get();
  expect(settings.servers).toEqual([]);
  expect(settings.preferences).toEqual({
    notifications: true,
    notificationContent: true,
    microphone: true,
    closeToTray: false,
    startHidden: false,
    updates: false,
  });
});

test('applies a change immediately and keeps it across restarts', async () => {
  const first = await openSettings(file);
  for (const language of ['en', 'de'] as const) first.change((s) => ({ ...s, language }));
  expect(first.get().language).toBe('de');
  await first.saved();
  expect((await openSettings(file)).get().language).toBe('de');
  expect(await readdir(join(folder, 'deep'))).toEqual(['settings.json']);
});

test('renames an invalid file and starts with the defaults', async () => {
  const broken = join(folder, 'settings.json');
  const server = (origin: string, ...mediaOrigins: string[]) =>
    JSON.stringify({ servers: [{ origin, mediaOrigins }] });
  for (const text of [
    '{"servers":[',
    '[]',
    'null',
    server('file:///etc'),
    // An invalid address would keep the app from starting.
    server('http://%'),
    server('https://user:secret@a.example'),
    server('http://a,http:'),
    // An invalid host would become part of the page's policy.
    server('https://a.example', "https://b.example; script-src 'unsafe-inline'"),
    server('https://a.example', 'https://*'),
  ]) {
    await writeFile(broken, text);
    expect((await openSettings(broken)).get().servers).toEqual([]);
    expect(await readFile(`${broken}.broken`, 'utf8')).toBe(text);
  }
});

test('fills in new settings with defaults and discards unknown ones', async () => {
  const old = join(folder, 'settings.json');
  await writeFile(old, '{"preferences":{"closeToTray":true},"gone":1}');
  const settings = (await openSettings(old)).get();
  expect(settings.preferences).toMatchObject({ closeToTray: true, notifications: true });
  expect(settings).not.toHaveProperty('gone');
});

test('reports a failed write and writes the next change', async () => {
  const settings = await openSettings(join(folder, 'file', 'settings.json'));
  await writeFile(join(folder, 'file'), '');
  settings.change((s) => ({ ...s, language: 'de' }));
  await expect(settings.saved()).rejects.toThrow();
  await rm(join(folder, 'file'));
  settings.change((s) => ({ ...s, language: 'en' }));
  await expect(settings.saved()).resolves.toBeUndefined();
});

test('rejects if an existing file cannot be read, and keeps it', async () => {
  const unreadable = join(folder, 'settings.json');
  await mkdir(unreadable);
  await expect(openSettings(unreadable)).rejects.toThrow('EISDIR');
  expect(await readdir(folder)).toEqual(['settings.json']);
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listElectronMembers } from './support/electron-members.ts';

const DESKTOP = join(import.meta.dirname, '..');

let used: Set<string>;
let rows: string[][];
beforeAll(async () => {
  used = listElectronMembers();
  const text = await readFile(join(DESKTOP, 'ELECTRON.md'), 'utf8');
  rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
}, 120_000);

/** Returns the members that the table has a row for. */
const listTableMembers = () =>
  rows.flatMap(([apis = '']) => [...apis.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

test('finds constructors, methods and events of Electron in the sources', () => {
  for (const name of [
    'BrowserWindow',
    'App.whenReady',
    'WebContents#dom-ready',
    'IpcMain.handle',
  ]) {
    expect(used).toContain(name);
  }
});

test('the table lists exactly the members of Electron that the sources use', () => {
  expect(listTableMembers().toSorted()).toEqual([...used].toSorted());
});

test('every row of the table has a document, a version, notes and existing tests', () => {
  for (const [apis, docs = '', since, notes, tests = ''] of rows) {
    expect(docs, apis).toMatch(/^(?:api|tutorial)\/[\w-]+/);
    expect([since, notes], apis).not.toContain('');
    for (const path of tests.split(', ')) expect(existsSync(join(DESKTOP, path)), path).toBe(true);
  }
});

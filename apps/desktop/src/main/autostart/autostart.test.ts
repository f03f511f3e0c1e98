import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAutostartEntry, isEntryEnabled } from './autostart-entry.ts';
import { openAutostartFile } from './autostart-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-autostart-'));
  file = join(folder, 'config', 'autostart', 'parley.desktop');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the autostart entry', () => {
  test('starts the installed program with the argument for a start at login', () => {
    const lines = createAutostartEntry('/opt/Parley/parley', 'Parley').split('\n');
    expect(lines).toContain('Exec="/opt/Parley/parley" --at-login');
    expect(lines).toContain('TryExec=/opt/Parley/parley');
  });

  test('quotes the special characters in the name of an AppImage', () => {
    const path = '/home/ada/My "Apps"/100% $HOME `x`\\Parley.AppImage';
    const entry = createAutostartEntry(path, 'Parley');
    expect(entry).toContain(
      String.raw`Exec="/home/ada/My \\"Apps\\"/100%% \\$HOME \\` +
        '`x' +
        String.raw`\\` +
        '`' +
        String.raw`\\\\Parley.AppImage" --at-login`,
    );
    // The shell follows the same quoting rules as the specification once the value is unescaped.
    const exec = /^Exec=(.*)$/m.exec(entry)?.[1]?.replaceAll('\\\\', '\\').replaceAll('%%', '%');
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${exec ?? ''}`], {
      encoding: 'utf8',
    });
    expect(words).toBe(`${path}\n--at-login\n`);
  });

  test('is disabled if the desktop has disabled it', () => {
    const entry = createAutostartEntry('/opt/Parley/parley', 'Parley');
    expect(isEntryEnabled(entry)).toBe(true);
    expect(isEntryEnabled(`${entry}Hidden=true\n`)).toBe(false);
    expect(isEntryEnabled(entry.replace('enabled=true', 'enabled=false'))).toBe(false);
  });
});

describe('the autostart file', () => {
  test('is disabled at first and can be enabled and disabled', () => {
    const autostart = openAutostartFile(file, '/opt/Parley/parley', 'Parley');
    expect(autostart.isEnabled()).toBe(false);
    autostart.setEnabled(true);
    expect(autostart.isEnabled()).toBe(true);
    autostart.setEnabled(false);
    autostart.setEnabled(false);
    expect([autostart.isEnabled(), existsSync(file)]).toEqual([false, false]);
  });

  test('is updated for a moved AppImage, unless the user has disabled it', async () => {
    openAutostartFile(file, '/home/ada/Parley-1.AppImage', 'Parley').setEnabled(true);
    openAutostartFile(file, '/home/ada/Parley-2.AppImage', 'Parley');
    expect(await readFile(file, 'utf8')).toContain('Exec="/home/ada/Parley-2.AppImage"');
    const hidden = createAutostartEntry('/home/ada/Parley-2.AppImage', 'Parley') + 'Hidden=true\n';
    await writeFile(file, hidden);
    const moved = openAutostartFile(file, '/home/ada/Parley-3.AppImage', 'Parley');
    expect(moved.isEnabled()).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(hidden);
  });

  test('cannot be enabled if it cannot be written', async () => {
    await writeFile(join(folder, 'config'), '');
    const autostart = openAutostartFile(file, '/opt/Parley/parley', 'Parley');
    expect(() => autostart.setEnabled(true)).toThrow();
    expect(autostart.isEnabled()).toBe(false);
  });
});

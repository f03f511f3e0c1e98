import { expect, test, vi } from 'vitest';
import { systemVault } from '../src/main/electron/vault.ts';
import { safeStorage } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

test('refuses the public password with which Chromium encrypts on Linux without a keyring', async () => {
  await expect(systemVault('linux').encrypt('secret')).rejects.toThrow('no keyring');
});

test.each(['v11', 'v12'])('encrypts on Linux with the key of a keyring, as %s', async (mark) => {
  vi.spyOn(safeStorage, 'encryptStringAsync').mockResolvedValueOnce(Buffer.from(`${mark}sealed`));
  expect(String(await systemVault('linux').encrypt('secret'))).toBe(`${mark}sealed`);
});

test.each(['darwin', 'win32'] as const)(
  'encrypts on %s, where the mark is always the same',
  async (platform) => {
    const vault = systemVault(platform);
    expect(await vault.decrypt(await vault.encrypt('secret'))).toBe('secret');
  },
);

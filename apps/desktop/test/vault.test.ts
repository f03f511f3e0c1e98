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
    const sealed = await vault.encrypt('secret');
    expect(await vault.decrypt(sealed)).toEqual({ text: 'secret', isStale: false });
  },
);

test('tells a text that cannot be decrypted any more from one that cannot be just now', async () => {
  const decrypting = vi.spyOn(safeStorage, 'decryptStringAsync');
  decrypting.mockRejectedValueOnce(
    new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.'),
  );
  const vault = systemVault('linux');
  expect(await vault.decrypt(Buffer.from('v11sealed'))).toBeUndefined();
  decrypting.mockRejectedValueOnce(
    new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.'),
  );
  await expect(vault.decrypt(Buffer.from('v11sealed'))).rejects.toThrow('unavailable');
  decrypting.mockResolvedValueOnce({ result: 'secret', shouldReEncrypt: true });
  const unsealed = await vault.decrypt(Buffer.from('v11sealed'));
  expect(unsealed).toEqual({ text: 'secret', isStale: true });
});

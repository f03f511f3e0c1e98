import { expect, test, vi } from 'vitest';
import { createSystemVault } from '../src/main/storage-key/vault.electron.ts';
import { safeStorage } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

test('rejects on Linux without a keyring, where Chromium encrypts with a public password', async () => {
  await expect(createSystemVault('linux').encrypt('secret')).rejects.toThrow('no keyring');
});

test.each(['v11', 'v12'])(
  'encrypts on Linux with a keyring, which the prefix %s shows',
  async (prefix) => {
    vi.spyOn(safeStorage, 'encryptStringAsync').mockResolvedValueOnce(
      Buffer.from(`${prefix}sealed`),
    );
    expect(String(await createSystemVault('linux').encrypt('secret'))).toBe(`${prefix}sealed`);
  },
);

test.each(['darwin', 'win32'] as const)(
  'encrypts on %s, where the prefix does not matter',
  async (platform) => {
    const vault = createSystemVault(platform);
    const sealed = await vault.encrypt('secret');
    expect(await vault.decrypt(sealed)).toEqual({ text: 'secret', isStale: false });
  },
);

test('distinguishes a text that can never be decrypted again from a keyring that is unavailable', async () => {
  const decrypting = vi.spyOn(safeStorage, 'decryptStringAsync');
  decrypting.mockRejectedValueOnce(
    new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.'),
  );
  const vault = createSystemVault('linux');
  expect(await vault.decrypt(Buffer.from('v11sealed'))).toBeUndefined();
  decrypting.mockRejectedValueOnce(
    new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.'),
  );
  await expect(vault.decrypt(Buffer.from('v11sealed'))).rejects.toThrow('unavailable');
  decrypting.mockResolvedValueOnce({ result: 'secret', shouldReEncrypt: true });
  const unsealed = await vault.decrypt(Buffer.from('v11sealed'));
  expect(unsealed).toEqual({ text: 'secret', isStale: true });
});

import { safeStorage } from 'electron';
import type { Vault } from '../origin/last-answers.ts';

/** The operating system's own encryption. */
export function systemVault(platform: NodeJS.Platform): Vault {
  return {
    isAvailable: async () => {
      // Without a keyring Linux would encrypt with a password that everybody knows.
      if (platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
        return false;
      }
      return safeStorage.isAsyncEncryptionAvailable();
    },
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

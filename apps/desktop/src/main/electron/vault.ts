import { safeStorage } from 'electron';
import type { Vault } from '../origin/last-answers.ts';

/** Returns the operating system's own encryption. */
export function systemVault(platform: NodeJS.Platform): Vault {
  return {
    isAvailable: async () => {
      // Without a keyring, Chromium on Linux encrypts with a password that is public.
      if (platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
        return false;
      }
      return safeStorage.isAsyncEncryptionAvailable();
    },
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

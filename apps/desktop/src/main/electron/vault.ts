import { safeStorage } from 'electron';
import type { Vault } from '../storage-key/storage-key.ts';

/** How Chromium on Linux marks a text that it has encrypted without a keyring, with a public password. */
const PUBLIC_PASSWORD = 'v10';
/** Electron has no other sign of a key that is there, but not now. */
const UNAVAILABLE = /temporarily unavailable/;

/** Returns the operating system's own encryption. */
export function systemVault(platform: NodeJS.Platform): Vault {
  return {
    encrypt: async (text) => {
      const sealed = await safeStorage.encryptStringAsync(text);
      // Only the result shows it: Electron names a backend by the desktop, and reports that it can encrypt,
      // whether a keyring is running or not.
      if (platform === 'linux' && sealed.toString('latin1', 0, 3) === PUBLIC_PASSWORD) {
        throw new Error('This system has no keyring');
      }
      return sealed;
    },
    decrypt: async (sealed) => {
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
        return { text: result, isStale: shouldReEncrypt };
      } catch (error) {
        if (UNAVAILABLE.test(String(error))) throw error;
        return undefined;
      }
    },
  };
}

import { safeStorage } from 'electron';
import type { Vault } from './storage-key.ts';

/** Prefix of a text that Chromium on Linux has encrypted with a public password, as there was no keyring. */
const PUBLIC_PASSWORD_PREFIX = 'v10';
/** Part of the error message for a key that exists but cannot be used at the moment. */
const UNAVAILABLE = /temporarily unavailable/;

/** Creates a vault that encrypts with the operating system's keyring. */
export function createSystemVault(platform: NodeJS.Platform): Vault {
  return {
    encrypt: async (text) => {
      const sealed = await safeStorage.encryptStringAsync(text);
      // Only the result shows whether there is a keyring. Electron reports encryption as available without one,
      // too, and derives the backend's name from the desktop environment.
      if (platform === 'linux' && sealed.toString('latin1', 0, 3) === PUBLIC_PASSWORD_PREFIX) {
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

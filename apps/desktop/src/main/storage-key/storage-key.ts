import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { readIfExists, replaceFile } from '../files/stored-file.ts';

/** Encrypts with a key of the operating system. Each call waits while a keyring is locked. */
export interface Vault {
  /** Rejects if the system has no key. */
  encrypt: (text: string) => Promise<Buffer>;
  /** Resolves to undefined if the key is lost. Rejects if it is only unavailable at the moment. */
  decrypt: (sealed: Buffer) => Promise<Unsealed | undefined>;
}

/** A text that a vault has decrypted. */
export interface Unsealed {
  text: string;
  /** Whether the text should be encrypted again with a newer key. */
  isStale: boolean;
}

/** The key with which a server's page encrypts its records. It is stored in a file, encrypted by a vault. */
export interface StorageKey {
  /**
   * Resolves to the key, which the first call creates, or to null if it cannot be stored safely. Waits while a
   * keyring is locked. Replaces a key that can no longer be decrypted.
   */
  get: () => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Erases the key, without waiting for a keyring. Never rejects. */
  erase: () => Promise<void>;
}

const KEY_BYTES = 32;

/** Opens a server's key. The file is first read by `get`. */
export function openStorageKey(file: string, vault: Vault): StorageKey {
  let loading: Promise<Uint8Array<ArrayBuffer> | null> | undefined;
  let generation = 0;
  let pendingWrite: Promise<void> = Promise.resolve();

  async function load(): Promise<Uint8Array<ArrayBuffer> | null> {
    const loadedGeneration = generation;
    try {
      const sealed = await readIfExists(file);
      const unsealed = sealed && (await vault.decrypt(sealed));
      const stored = unsealed && parseKey(unsealed.text);
      const key = stored ?? new Uint8Array(randomBytes(KEY_BYTES));
      if (!stored) await save(key, loadedGeneration);
      // The file can still be decrypted, so a failure does no harm.
      else if (unsealed.isStale) await save(key, loadedGeneration).catch(() => undefined);
      if (loadedGeneration === generation) return key;
    } catch {
      // No keyring, a keyring that is unavailable, or a full disk. The file stays for the next start.
    }
    // The next call retries.
    if (loadedGeneration === generation) loading = undefined;
    return null;
  }

  async function save(key: Uint8Array, createdGeneration: number): Promise<void> {
    const sealed = await vault.encrypt(Buffer.from(key).toString('base64'));
    await changeFile(async () => {
      // On the disk before the key is used, as data cannot be decrypted without it.
      if (createdGeneration === generation) await replaceFile(file, sealed);
    });
  }

  /** Runs one change to the file at a time. */
  function changeFile(change: () => Promise<void>): Promise<void> {
    const changed = pendingWrite.then(change);
    pendingWrite = changed.catch(() => undefined);
    return changed;
  }

  return {
    get: () => {
      loading ??= load();
      return loading;
    },
    erase: () => {
      generation += 1;
      loading = undefined;
      return changeFile(() => rm(file, { force: true })).catch(() => undefined);
    },
  };
}

function parseKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const key = new Uint8Array(Buffer.from(text, 'base64'));
  return key.byteLength === KEY_BYTES ? key : undefined;
}

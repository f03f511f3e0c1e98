import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Encrypts with a key of the operating system. Each call waits as long as a keyring stays locked. */
export interface Vault {
  /** Rejects on a system without a key. */
  encrypt: (text: string) => Promise<Buffer>;
  /** Resolves to undefined if the system has no key for it any more. Rejects if it has none just now. */
  decrypt: (sealed: Buffer) => Promise<Unsealed | undefined>;
}

/** A text that a vault has decrypted. */
export interface Unsealed {
  text: string;
  /** Whether it should be encrypted again, as the system has a newer key. */
  isStale: boolean;
}

/** The key that a server's page encrypts its records with. It lies in a file, encrypted by a vault. */
export interface StorageKey {
  /**
   * Resolves to the key, which is made at the first call, or to null where it cannot be kept safely. Waits as
   * long as a keyring stays locked. A key that can no longer be decrypted is replaced.
   */
  get: () => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Erases the key, without waiting for a keyring. Never rejects. */
  erase: () => Promise<void>;
}

const KEY_BYTES = 32;

/** Opens the key of a server. Reads nothing yet. */
export function openStorageKey(file: string, vault: Vault): StorageKey {
  let loading: Promise<Uint8Array<ArrayBuffer> | null> | undefined;
  let generation = 0;
  let pendingWrite: Promise<void> = Promise.resolve();

  async function load(): Promise<Uint8Array<ArrayBuffer> | null> {
    const loadedGeneration = generation;
    try {
      const sealed = await read(file);
      const unsealed = sealed && (await vault.decrypt(sealed));
      const kept = unsealed && parseKey(unsealed.text);
      const key = kept ?? new Uint8Array(randomBytes(KEY_BYTES));
      if (!kept) await keep(key, loadedGeneration);
      // It can still be decrypted, so a failure changes nothing.
      else if (unsealed.isStale) await keep(key, loadedGeneration).catch(() => undefined);
      if (loadedGeneration === generation) return key;
    } catch {
      // No keyring, or none just now, or a full disk. The file stays: the next start may have its key.
    }
    // The next call tries again.
    if (loadedGeneration === generation) loading = undefined;
    return null;
  }

  async function keep(key: Uint8Array, createdGeneration: number): Promise<void> {
    const sealed = await vault.encrypt(Buffer.from(key).toString('base64'));
    await changeFile(async () => {
      if (createdGeneration === generation) await write(file, sealed);
    });
  }

  /** Runs one change of the file at a time. */
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

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const key = new Uint8Array(Buffer.from(text, 'base64'));
  return key.byteLength === KEY_BYTES ? key : undefined;
}

/** Replaces the file atomically. On the disk before it is used: without it, what it encrypts is lost. */
async function write(file: string, sealed: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(sealed);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

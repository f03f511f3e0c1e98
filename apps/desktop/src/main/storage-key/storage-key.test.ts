import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStorageKey, type Vault } from './storage-key.ts';

/** Creates a vault with its own key, whose texts no other vault can decrypt. */
function createVault(name: string): Vault {
  const prefix = Buffer.from(name).toString('base64');
  return {
    encrypt: async (text) => Buffer.from(`${prefix}:${Buffer.from(text).toString('hex')}`),
    decrypt: async (sealed) => {
      const [sealedBy, hex = ''] = sealed.toString().split(':');
      if (sealedBy !== prefix) return undefined;
      return { text: Buffer.from(hex, 'hex').toString(), isStale: false };
    },
  };
}

const vault = createVault('keyring');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-key-'));
  file = join(folder, 'keys', 'server');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('creates a random key of 32 bytes once, and stores it encrypted', async () => {
  const storageKey = openStorageKey(file, vault);
  const [key, same] = await Promise.all([storageKey.get(), storageKey.get()]);
  expect(key).toHaveLength(32);
  expect(same).toEqual(key);
  expect(await openStorageKey(file, vault).get()).toEqual(key);
  expect(await readFile(file, 'utf8')).not.toContain(Buffer.from(key ?? []).toString('base64'));
  const other = await openStorageKey(join(folder, 'other'), vault).get();
  expect(other).not.toEqual(key);
});

test('creates a new key if the system can no longer decrypt the old one', async () => {
  const before = await openStorageKey(file, vault).get();
  const after = await openStorageKey(file, createVault('another keyring')).get();
  expect(after).toHaveLength(32);
  expect(after).not.toEqual(before);
  await writeFile(file, 'no such thing');
  expect(await openStorageKey(file, vault).get()).toHaveLength(32);
});

test('returns no key on a system without a keyring, and writes nothing', async () => {
  const encrypt = () => Promise.reject(new Error('no keyring'));
  expect(await openStorageKey(file, { ...vault, encrypt }).get()).toBeNull();
  expect(await readdir(folder)).toEqual([]);
});

test('keeps the file while the keyring is missing or unavailable', async () => {
  const storageKey = openStorageKey(file, vault);
  const key = await storageKey.get();
  const gone: Vault = {
    encrypt: () => Promise.reject(new Error('no keyring')),
    decrypt: async () => undefined,
  };
  expect(await openStorageKey(file, gone).get()).toBeNull();
  const decrypt = vi.fn<Vault['decrypt']>(vault.decrypt);
  decrypt.mockRejectedValueOnce(new Error('temporarily unavailable'));
  const later = openStorageKey(file, { ...vault, decrypt });
  expect(await later.get()).toBeNull();
  expect(await later.get()).toEqual(key);
});

test('encrypts the key again if the system has a newer one', async () => {
  const key = await openStorageKey(file, vault).get();
  const newer = createVault('newer');
  const failing = { encrypt: () => Promise.reject(new Error('locked')) };
  const decrypt: Vault['decrypt'] = async (sealed) => {
    const unsealed = await vault.decrypt(sealed);
    return unsealed && { ...unsealed, isStale: true };
  };
  expect(await openStorageKey(file, { ...failing, decrypt }).get()).toEqual(key);
  expect(await openStorageKey(file, { ...newer, decrypt }).get()).toEqual(key);
  expect(await openStorageKey(file, newer).get()).toEqual(key);
});

test('erases the key for good without waiting for a locked keyring', async () => {
  const before = await openStorageKey(file, vault).get();
  const opened = Promise.withResolvers<void>();
  const storageKey = openStorageKey(file, {
    encrypt: (text) => opened.promise.then(() => vault.encrypt(text)),
    decrypt: (sealed) => opened.promise.then(() => vault.decrypt(sealed)),
  });
  const waiting = storageKey.get();
  await storageKey.erase();
  expect(await readdir(join(folder, 'keys'))).toEqual([]);
  opened.resolve();
  expect(await waiting).toBeNull();
  expect(await readdir(join(folder, 'keys'))).toEqual([]);
  const after = await storageKey.get();
  expect(after).toHaveLength(32);
  expect(after).not.toEqual(before);
});

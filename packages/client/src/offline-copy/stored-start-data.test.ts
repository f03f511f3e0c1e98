import { initialSettings } from '@parley/contract/schemas';
import { beforeEach, expect, test, vi } from 'vitest';
import { createHeadlessPlatform } from '../headless-platform.ts';
import type { Platform } from '../platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../storage/memory-storage.ts';
import { openUserStorage } from '../storage/open-storage.ts';
import { CONTACT_MAX_AGE, eraseUserStorage, START_DATA_KEY } from '../storage/user-storage.ts';
import type { StoredStartData } from './offline-copy.ts';
import { readStartData } from './stored-start-data.ts';

const START_DATA: StoredStartData = {
  user: {
    username: 'Ada',
    usermail: 'ada@example.org',
    dateOfRegistration: '2026-01-01T00:00:00.000Z',
    ...initialSettings(),
  },
  config: {
    product: 'parley',
    version: '1.0.0',
    apiVersion: 1,
    mediaPrefix: 'https://example.org/media/',
    mediaBase: '/media/',
    avatarUrl: '/api/avatars/{name}.svg',
    registration: 'open',
    operator: {},
  },
};

let area: MemoryStorageArea;
let platform: Platform;

beforeEach(() => {
  area = createMemoryStorageArea();
  platform = createHeadlessPlatform(undefined, { openStorage: async () => area.open() });
});

/** Stores Ada's start data as of the given time. */
async function storeStartData(now = Date.now()): Promise<void> {
  const storage = await openUserStorage(platform, { username: 'Ada' }, () => now);
  await storage?.put('meta', START_DATA_KEY, { value: START_DATA });
}

const readMeta = async (): Promise<string> => JSON.stringify(await area.open().getAll('meta'));

test('reads the start data of the user who owns the storage, and leaves it to them', async () => {
  await storeStartData();
  const before = await readMeta();
  expect(await readStartData(platform, 'Bob')).toBeUndefined();
  expect(await readStartData(platform, 'Ada')).toEqual(START_DATA);
  expect(await readMeta()).toBe(before);
});

test('reading the start data leaves no username if the session ends in the meantime', async () => {
  await storeStartData();
  const openStorage = async () => {
    const storage = area.open();
    await eraseUserStorage(platform, storage, 'Ada', 'revoked');
    return storage;
  };
  expect(await readStartData({ ...platform, openStorage }, 'Ada')).toBeUndefined();
  expect(await readMeta()).toContain('revoked');
  expect(await readMeta()).not.toContain('Ada');
});

test('erases start data that is too old without reading it', async () => {
  await storeStartData(Date.now() - CONTACT_MAX_AGE);
  expect(await readStartData(platform, 'Ada')).toBeUndefined();
  expect(await readMeta()).toBe('[]');
});

test('resolves to undefined if the storage with the start data cannot be opened', async () => {
  const logFailure = vi.fn<() => void>();
  const openStorage = async () => Promise.reject(new Error('forbidden'));
  expect(await readStartData({ ...platform, openStorage, logFailure }, 'Ada')).toBeUndefined();
  expect(logFailure).toHaveBeenCalledOnce();
});

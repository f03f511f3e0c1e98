import { expect, test, vi } from 'vitest';
import { createHeadlessPlatform, createMemoryLocks } from '../headless-platform.ts';
import { STORAGE_COLLECTIONS, type ClientStorage } from './client-storage.ts';
import { createMemoryStorageArea } from './memory-storage.ts';
import { openStorage } from './open-storage.ts';
import {
  CONTACT_MAX_AGE,
  eraseCopy,
  eraseStale,
  START_DATA_KEY,
  type UserStorage,
} from './user-storage.ts';

/** Creates a browser. Each storage opened from it acts as one of its tabs. */
function createBrowser() {
  const area = createMemoryStorageArea();
  const time = { now: 1_000_000 };
  const platform = createHeadlessPlatform(undefined, {
    openStorage: async () => area.open(),
    locks: createMemoryLocks(),
  });
  return {
    time,
    open: async (username: string): Promise<UserStorage> => {
      const storage = await openStorage(platform, username, () => time.now);
      if (!storage) throw new Error('the storage did not open');
      return storage;
    },
  };
}

async function fill(storage: ClientStorage): Promise<void> {
  for (const collection of STORAGE_COLLECTIONS) {
    await storage.put(collection, 'record', { value: 'secret' });
  }
  await storage.put('meta', START_DATA_KEY, { value: 'secret' });
}

/** Returns the collections that contain records, apart from the owner. */
async function filled(storage: ClientStorage): Promise<string[]> {
  const all = await Promise.all(
    STORAGE_COLLECTIONS.map(async (collection) => {
      const records = await storage.getAll(collection);
      return records.some(({ value }) => value === 'secret') ? [collection] : [];
    }),
  );
  return all.flat();
}

test('a user finds their stored data again', async () => {
  const browser = createBrowser();
  const before = await browser.open('Ada');
  await fill(before);
  before.close();
  expect(await filled(await browser.open('Ada'))).toEqual([...STORAGE_COLLECTIONS]);
});

test("another user's storage is erased when a user opens it", async () => {
  const browser = createBrowser();
  const ada = await browser.open('Ada');
  await fill(ada);
  const bob = await browser.open('Bob');
  expect(await filled(bob)).toEqual([]);
  expect(await ada.isOwned()).toBe(false);
  expect(await bob.isOwned()).toBe(true);
  await bob.eraseAfterSession('logout');
  await fill(bob);
  expect(await filled(await browser.open('Ada'))).toEqual([]);
});

test('erases data after 30 days without contact to the server', async () => {
  const browser = createBrowser();
  await fill(await browser.open('Ada'));
  browser.time.now += CONTACT_MAX_AGE - 1;
  const ada = await browser.open('Ada');
  expect(await filled(ada)).toEqual([...STORAGE_COLLECTIONS]);
  await ada.recordContact();
  browser.time.now += CONTACT_MAX_AGE - 1;
  expect(await filled(await browser.open('Ada'))).toEqual([...STORAGE_COLLECTIONS]);
  browser.time.now += 1;
  expect(await filled(await browser.open('Ada'))).toEqual([]);
});

test('erases data of an expired session after 30 days without a login', async () => {
  const browser = createBrowser();
  const ada = await browser.open('Ada');
  await fill(ada);
  await eraseStale(ada, () => browser.time.now + CONTACT_MAX_AGE - 1);
  expect(await filled(ada)).toEqual([...STORAGE_COLLECTIONS]);
  await eraseStale(ada, () => browser.time.now + CONTACT_MAX_AGE);
  expect(await filled(ada)).toEqual([]);
  expect(await ada.isOwned()).toBe(false);
});

test.each([
  ['logout', []],
  ['revoked', []],
  ['account-deleted', []],
  ['password-changed', ['meta', 'drafts', 'outbox']],
  ['expired', [...STORAGE_COLLECTIONS]],
] as const)(
  'a session that ends with %s keeps only the permitted collections',
  async (reason, left) => {
    const browser = createBrowser();
    const ada = await browser.open('Ada');
    await fill(ada);
    await ada.eraseAfterSession(reason);
    const after = await browser.open('Ada');
    expect(await filled(after)).toEqual(left);
    const facts = await after.get('meta', START_DATA_KEY);
    expect(facts?.value).toBe(reason === 'expired' ? 'secret' : undefined);
  },
);

test('notifies other tabs of the reason for which the storage was erased', async () => {
  const browser = createBrowser();
  const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
  const onErased = vi.fn<(reason: string) => void>();
  const stop = second.onErased(onErased);
  await first.eraseAfterSession('expired');
  await first.eraseAfterSession('revoked');
  await vi.waitFor(() => expect(onErased).toHaveBeenCalledExactlyOnceWith('revoked'));
  stop();
});

test("a tab that learns late of a session's end does not erase data of the next session", async () => {
  const browser = createBrowser();
  const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
  await first.eraseAfterSession('logout');
  const next = await browser.open('Ada');
  await fill(next);
  await second.eraseAfterSession('logout');
  await second.recordContact();
  expect(await filled(next)).toEqual([...STORAGE_COLLECTIONS]);
  expect(await next.isOwned()).toBe(true);
});

test('two tabs that open the storage for the first time share it', async () => {
  const browser = createBrowser();
  const tabs = await Promise.all([browser.open('Ada'), browser.open('Ada')]);
  await Promise.all(tabs.map((tab, i) => tab.put('drafts', `room ${i}`, { value: 'secret' })));
  for (const tab of tabs) {
    expect(await tab.isOwned()).toBe(true);
    expect(await tab.getAll('drafts')).toHaveLength(2);
  }
});

test('erasing the offline copy keeps drafts and unsent messages', async () => {
  const browser = createBrowser();
  const ada = await browser.open('Ada');
  await fill(ada);
  await eraseCopy(ada);
  expect(await filled(ada)).toEqual(['meta', 'drafts', 'outbox']);
  expect(await ada.isOwned()).toBe(true);
});

test('resolves to undefined if the storage cannot be opened', async () => {
  const logFailure = vi.fn<() => void>();
  const platform = createHeadlessPlatform(undefined, {
    openStorage: async () => Promise.reject(new Error('forbidden')),
    logFailure,
  });
  expect(await openStorage(platform, 'Ada')).toBeUndefined();
  expect(logFailure).toHaveBeenCalledOnce();
});

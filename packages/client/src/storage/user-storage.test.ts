import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createHeadlessPlatform, createMemoryLocks } from '../headless-platform.ts';
import { STORAGE_COLLECTIONS, type ClientStorage } from '../client-storage.ts';
import { createMemoryStorageArea } from './memory-storage.ts';
import { openUserStorage } from './open-storage.ts';
import { openPendingErasure } from './pending-erasure.ts';
import {
  completePendingErasure,
  CONTACT_MAX_AGE,
  CONTACT_MAX_AHEAD,
  createUserStorage,
  eraseCopy,
  eraseStale,
  eraseUserStorage,
  isOwnedBy,
  START_DATA_KEY,
  type UserStorage,
} from './user-storage.ts';

/** Creates a browser. Each storage opened from it acts as one of its tabs. */
function createBrowser() {
  const area = createMemoryStorageArea();
  const time = { now: 1_000_000 };
  let schedule: (() => Promise<void>) | undefined;
  const open = (): ClientStorage => withSchedule(area.open(), () => schedule?.());
  const platform = createHeadlessPlatform(undefined, {
    openStorage: async () => open(),
    locks: createMemoryLocks(),
  });
  return {
    time,
    platform,
    /** Opens the storage without a user. */
    openRaw: open,
    /** From now on, the scheduler decides in which order the tabs access the storage. */
    scheduleAccess: (scheduler: fc.Scheduler): void => {
      schedule = () => scheduler.schedule(Promise.resolve());
    },
    open: async (username: string, registeredAt?: string): Promise<UserStorage> => {
      const storage = await openUserStorage(platform, { username, registeredAt }, () => time.now);
      if (!storage) throw new Error('the storage did not open');
      return storage;
    },
  };
}

/** Waits for the turn before each access to the storage. */
function withSchedule(
  storage: ClientStorage,
  turn: () => Promise<void> | undefined,
): ClientStorage {
  return {
    ...storage,
    get: async (...args) => (await turn(), storage.get(...args)),
    put: async (...args) => (await turn(), storage.put(...args)),
    update: async (...args) => (await turn(), storage.update(...args)),
    delete: async (...args) => (await turn(), storage.delete(...args)),
    clear: async (...args) => (await turn(), storage.clear(...args)),
    erase: async () => (await turn(), storage.erase()),
  };
}

/** The collections of this version. What earlier ones stored in the others is moved. */
const FILLED = STORAGE_COLLECTIONS.filter((collection) => collection !== 'intents');

async function fill(storage: ClientStorage): Promise<void> {
  for (const collection of FILLED) {
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

test('keeps the data of a user who opens the storage again', async () => {
  const browser = createBrowser();
  const before = await browser.open('Ada');
  await fill(before);
  before.close();
  expect(await filled(await browser.open('Ada'))).toEqual([...FILLED]);
});

test('erases the data of another user when a user opens the storage', async () => {
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

test('erases data after 30 days without contact with the server', async () => {
  const browser = createBrowser();
  await fill(await browser.open('Ada'));
  browser.time.now += CONTACT_MAX_AGE - 1;
  const ada = await browser.open('Ada');
  expect(await filled(ada)).toEqual([...FILLED]);
  await ada.recordContact();
  browser.time.now += CONTACT_MAX_AGE - 1;
  expect(await filled(await browser.open('Ada'))).toEqual([...FILLED]);
  browser.time.now += 1;
  expect(await filled(await browser.open('Ada'))).toEqual([]);
});

test('erases data of an expired session after 30 days without a login', async () => {
  const browser = createBrowser();
  const ada = await browser.open('Ada');
  await fill(ada);
  await eraseStale(browser.platform, ada, () => browser.time.now + CONTACT_MAX_AGE - 1);
  expect(await filled(ada)).toEqual([...FILLED]);
  await eraseStale(browser.platform, ada, () => browser.time.now + CONTACT_MAX_AGE);
  expect(await filled(ada)).toEqual([]);
  expect(await ada.isOwned()).toBe(false);
});

test.each([
  ['logout', []],
  ['revoked', []],
  ['account-deleted', []],
  ['password-changed', ['meta', 'drafts', 'outbox']],
  ['expired', [...FILLED]],
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

test('erases what is left on the disk once, and again after an interruption', async () => {
  const browser = createBrowser();
  const erase = vi.fn<() => Promise<void>>();
  const open = (): ClientStorage => {
    const storage = browser.openRaw();
    erase.mockImplementation(() => storage.clear());
    return { ...storage, erase };
  };
  const user = { username: 'Ada' };
  const ada = await createUserStorage(browser.platform, open(), user, () => browser.time.now);
  await fill(ada);
  erase.mockRejectedValueOnce(new Error('the page was closed'));
  await expect(ada.eraseAfterSession('logout')).rejects.toThrow('closed');
  expect(await filled(ada)).toEqual([]);
  for (let i = 0; i < 3; i += 1) {
    await eraseUserStorage(browser.platform, open(), 'Ada', 'logout');
  }
  expect(erase).toHaveBeenCalledTimes(2);
});

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

test("a late notification of a session's end does not erase data of the next session", async () => {
  const browser = createBrowser();
  const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
  await first.eraseAfterSession('logout');
  const next = await browser.open('Ada');
  await fill(next);
  await second.eraseAfterSession('logout');
  await second.recordContact();
  expect(await filled(next)).toEqual([...FILLED]);
  expect(await next.isOwned()).toBe(true);
});

test("a late notification of a session's end does not end the user's next session", async () => {
  const browser = createBrowser();
  const raw = browser.openRaw();
  const [first, frozen] = [await browser.open('Ada'), await browser.open('Ada')];
  const onErased = vi.fn<(reason: string) => void>();
  frozen.onErased(onErased);
  // The tab is notified only after the user has signed in again.
  await Promise.all([first.eraseAfterSession('password-changed'), browser.open('Ada')]);
  await browser.open('Ada');
  expect(await raw.get('meta', 'ended')).toBeUndefined();
  onErased.mockClear();
  // A plain reason, as earlier versions stored it, is ignored, as is the end of another owner's
  // session.
  await raw.put('meta', 'ended', { value: 'revoked' });
  await raw.put('meta', 'ended', { value: { reason: 'revoked', owner: 'another' } });
  await new Promise((done) => setImmediate(done));
  expect(onErased).not.toHaveBeenCalled();
});

test('erases the data of a deleted account when a new account has its name', async () => {
  const browser = createBrowser();
  const before = await browser.open('Ada', '2025-03-01T10:00:00.000Z');
  await fill(before);
  await before.recordContact();
  expect(await filled(await browser.open('Ada'))).toEqual([...FILLED]);
  const after = await browser.open('Ada', '2026-03-01T10:00:00.000Z');
  expect(await filled(after)).toEqual([]);
  expect(await before.isOwned()).toBe(false);
});

test('adds the date of registration to an owner that was stored without it', async () => {
  const browser = createBrowser();
  const old = await browser.open('Ada');
  await fill(old);
  const same = await browser.open('Ada', '2025-03-01T10:00:00.000Z');
  await old.recordContact();
  expect(await filled(same)).toEqual([...FILLED]);
  expect(await filled(await browser.open('Ada', '2026-03-01T10:00:00.000Z'))).toEqual([]);
});

test('erases data whose last contact is more than a day in the future', async () => {
  const browser = createBrowser();
  await fill(await browser.open('Ada'));
  browser.time.now -= CONTACT_MAX_AHEAD;
  const ada = await browser.open('Ada');
  expect(await filled(ada)).toEqual([...FILLED]);
  browser.time.now -= 1;
  await eraseStale(browser.platform, ada, () => browser.time.now);
  expect(await filled(ada)).toEqual([]);
});

test('notifies other tabs of the end of the session even if the storage is erased again immediately', async () => {
  const browser = createBrowser();
  const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
  const listener = vi.fn<(reason: string) => void>();
  second.onErased(listener);
  await first.eraseAfterSession('logout');
  await eraseUserStorage(browser.platform, browser.openRaw(), 'Ada', 'logout');
  await vi.waitFor(() => expect(listener).toHaveBeenCalledWith('logout'));
});

test('notifies other tabs of the end of the session even if stale data is erased immediately', async () => {
  const browser = createBrowser();
  const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
  const listener = vi.fn<(reason: string) => void>();
  second.onErased(listener);
  await first.eraseAfterSession('logout');
  await eraseStale(browser.platform, browser.openRaw(), () => browser.time.now);
  await vi.waitFor(() => expect(listener).toHaveBeenCalledWith('logout'));
});

test('notifies other tabs of the end of the session whatever the order of two erasures at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const browser = createBrowser();
      const [first, second] = [await browser.open('Ada'), await browser.open('Ada')];
      await fill(first);
      const listener = vi.fn<(reason: string) => void>();
      second.onErased(listener);
      // Both run in the tab that logs out: one by its client, the other by the page.
      const raw = browser.openRaw();
      browser.scheduleAccess(scheduler);
      await scheduler.waitFor(
        Promise.all([
          first.eraseAfterSession('logout'),
          eraseUserStorage(browser.platform, raw, 'Ada', 'logout'),
        ]),
      );
      await scheduler.waitIdle();
      expect(listener).toHaveBeenCalledWith('logout');
      expect(await filled(raw)).toEqual([]);
    }),
  );
});

test('erases data that an interrupted erasure left without an owner', async () => {
  const browser = createBrowser();
  const raw = browser.openRaw();
  await fill(raw);
  await eraseStale(browser.platform, raw, () => browser.time.now);
  expect(await filled(raw)).toEqual([]);
  await fill(raw);
  await eraseUserStorage(browser.platform, raw, 'Ada', 'logout');
  expect(await filled(raw)).toEqual([]);
});

test('completes an erasure that a closed page recorded, and does not repeat it', async () => {
  const browser = createBrowser();
  const { storage: texts } = browser.platform;
  const ada = await browser.open('Ada');
  await fill(ada);
  openPendingErasure(texts).write({ username: 'Ada', reason: 'logout' });
  await Promise.all([
    completePendingErasure(browser.platform, browser.openRaw()),
    completePendingErasure(browser.platform, browser.openRaw()),
  ]);
  expect(await filled(ada)).toEqual([]);
  expect(openPendingErasure(texts).read()).toBeUndefined();
  await fill(await browser.open('Ada'));
  await completePendingErasure(browser.platform, ada);
  expect(await filled(ada)).toEqual([...FILLED]);
});

test("a recorded erasure keeps other users' data and the data that its reason permits", async () => {
  const browser = createBrowser();
  const pending = openPendingErasure(browser.platform.storage);
  const ada = await browser.open('Ada');
  await fill(ada);
  pending.write({ username: 'Bob', reason: 'logout' });
  await completePendingErasure(browser.platform, ada);
  expect(await filled(ada)).toEqual([...FILLED]);
  pending.write({ username: 'Ada', reason: 'password-changed' });
  await completePendingErasure(browser.platform, ada);
  expect(await filled(ada)).toEqual(['meta', 'drafts', 'outbox']);
  pending.write({ username: 'Ada', reason: 'of a newer version' });
  await completePendingErasure(browser.platform, ada);
  expect(await filled(ada)).toEqual([]);
});

test('a recorded erasure stays recorded if it fails', async () => {
  const browser = createBrowser();
  const pending = openPendingErasure(browser.platform.storage);
  const ada = await browser.open('Ada');
  pending.write({ username: 'Ada', reason: 'logout' });
  ada.close();
  await expect(completePendingErasure(browser.platform, ada)).rejects.toThrow('closed');
  expect(pending.read()).toEqual({ username: 'Ada', reason: 'logout' });
});

test('checking the owner assigns an erased storage to no user', async () => {
  const browser = createBrowser();
  const raw = browser.openRaw();
  const check = (username: string) => isOwnedBy(raw, username, () => browser.time.now);
  const ada = await browser.open('Ada');
  expect(await check('Ada')).toBe(true);
  expect(await check('Bob')).toBe(false);
  await ada.eraseAfterSession('logout');
  expect(await check('Ada')).toBe(false);
  expect(JSON.stringify(await raw.getAll('meta'))).not.toContain('Ada');
});

test('data that is too old belongs to no user', async () => {
  const browser = createBrowser();
  const raw = browser.openRaw();
  const check = () => isOwnedBy(raw, 'Ada', () => browser.time.now);
  await browser.open('Ada');
  browser.time.now += CONTACT_MAX_AGE - 1;
  expect(await check()).toBe(true);
  browser.time.now += 1;
  expect(await check()).toBe(false);
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
  expect(await openUserStorage(platform, { username: 'Ada' })).toBeUndefined();
  expect(logFailure).toHaveBeenCalledOnce();
});

import type { TabLocks } from '@parley/client';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

const DATABASE = 'parley-locks';
const LEASES = 'leases';

interface Schema extends DBSchema {
  [LEASES]: { key: string; value: Lease };
}

interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Expiry in milliseconds since 1970. Other tabs may then acquire the lease. */
  readonly until: number;
}

/** Durations of leases in milliseconds. */
export interface LeaseTimes {
  /** Duration of a visible tab's lease. */
  visible: number;
  /** Duration of a hidden tab's lease. Browsers run its timers only once a minute. */
  hidden: number;
}

const TIMES: LeaseTimes = { visible: 10_000, hidden: 75_000 };
/** Number of renewals within the duration of a lease. */
const RENEWALS = 3;
/** Initial and maximum milliseconds between attempts to acquire a lease. */
const INITIAL_WAIT = 20;
const MAX_WAIT = 500;

/**
 * Creates locks for browsers without Web Locks. They are leases in IndexedDB, which a tab renews while its task
 * runs and releases when the task ends or the page is closed.
 *
 * They are weaker than Web Locks:
 * - The lease of a crashed tab has to expire first, which takes 10 seconds, or 75 if it was hidden.
 * - A tab that the system suspends for longer than that loses its lease without noticing. When it resumes,
 *   two tasks with the same name run. Tasks must tolerate that: a message that is sent twice is stored once,
 *   as the server recognizes its `clientId`.
 * - Tabs poll for free locks, and notice one up to half a second late, or a minute in the background.
 * - Without IndexedDB, each tab acquires every lock.
 */
export function createLeaseLocks(times: LeaseTimes = TIMES): TabLocks {
  return {
    run: async (name, task) => {
      const release = await acquire(name, times);
      try {
        return await task();
      } finally {
        await release();
      }
    },
    claim: async (name, holdMs) => {
      try {
        const database = await openLeases();
        try {
          return await tryAcquire(database, {
            name,
            holder: createHolderId(),
            until: Date.now() + holdMs,
          });
        } finally {
          database.close();
        }
      } catch {
        return true;
      }
    },
  };
}

/** Acquires a lease. Resolves to a function that releases it. Neither rejects. */
async function acquire(name: string, times: LeaseTimes): Promise<() => Promise<void>> {
  let database: IDBPDatabase<Schema> | undefined;
  try {
    database = await openLeases();
    return await hold(database, name, times);
  } catch {
    database?.close();
    return async () => undefined;
  }
}

async function hold(
  database: IDBPDatabase<Schema>,
  name: string,
  times: LeaseTimes,
): Promise<() => Promise<void>> {
  const holder = createHolderId();
  const createLease = (): Lease => {
    const duration = document.hidden ? times.hidden : times.visible;
    return { name, holder, until: Date.now() + duration };
  };
  let held = createLease();
  for (let wait = INITIAL_WAIT; !(await tryAcquire(database, held)); wait *= 2) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, MAX_WAIT)));
    held = createLease();
  }

  const renew = async (): Promise<void> => {
    const transaction = database.transaction(LEASES, 'readwrite');
    const lease = await transaction.store.get(name);
    if (lease?.holder !== holder) return;
    const renewed = createLease();
    await Promise.all([transaction.store.put(renewed), transaction.done]);
    held = renewed;
  };
  // Issues all requests synchronously, as the page may be about to close.
  const release = async (): Promise<void> => {
    if (isExpired(held)) return;
    const transaction = database.transaction(LEASES, 'readwrite');
    const request = transaction.store.delete(name);
    transaction.commit();
    await Promise.all([request, transaction.done]);
  };

  const holding = new AbortController();
  const { signal } = holding;
  // If renewing or releasing a lease fails, it expires by itself.
  const tryToRenew = (): void => void renew().catch(() => undefined);
  const tryToRelease = (): Promise<void> => release().catch(() => undefined);
  const timer = setInterval(tryToRenew, times.visible / RENEWALS);
  document.addEventListener('visibilitychange', tryToRenew, { signal });
  window.addEventListener('pagehide', () => void tryToRelease(), { signal });
  return async () => {
    holding.abort();
    clearInterval(timer);
    await tryToRelease();
    database.close();
  };
}

/** Acquires the lease unless another tab holds it, and removes all expired leases. */
async function tryAcquire(database: IDBPDatabase<Schema>, requested: Lease): Promise<boolean> {
  const transaction = database.transaction(LEASES, 'readwrite');
  const { store } = transaction;
  const leases = await store.getAll();
  const expired = leases.filter(isExpired);
  const isFree = leases.every((lease) => lease.name !== requested.name || isExpired(lease));
  await Promise.all([
    ...expired.map(({ name }) => store.delete(name)),
    ...(isFree ? [store.put(requested)] : []),
    transaction.done,
  ]);
  return isFree;
}

/** Returns whether a lease has expired, or ends too far in the future because the clock was set back. */
function isExpired({ until }: Lease): boolean {
  const remaining = until - Date.now();
  return remaining <= 0 || remaining > TIMES.hidden;
}

function openLeases(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(DATABASE, 1, {
    upgrade: (database) => {
      database.createObjectStore(LEASES, { keyPath: 'name' });
    },
    blocking: (_version, _newVersion, { target }) => {
      if (target instanceof IDBDatabase) target.close();
    },
  });
}

function createHolderId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

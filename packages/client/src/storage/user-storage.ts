import type { SessionEndReason } from '@parley/contract';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { TabLocks } from '../platform.ts';
import { randomUuid } from '../uuid.ts';
import type { ClientStorage, StorageCollection, StorageRecord } from './client-storage.ts';

/** A user's storage. It belongs to the user until another user opens it or it is erased. */
export interface UserStorage extends ClientStorage {
  /** Records that the server was just reached. */
  recordContact: () => Promise<void>;
  /** Resolves to whether the storage still belongs to this user. Another tab may have erased it. */
  isOwned: () => Promise<boolean>;
  /**
   * Erases data as required by the reason for which the session ended, and notifies the other tabs.
   * Does nothing if the storage no longer belongs to this user.
   */
  eraseAfterSession: (reason: SessionEndReason) => Promise<void>;
  /**
   * Calls `listener` with the reason when another tab erased the storage. Returns an unsubscribe
   * function.
   */
  onErased: (listener: (reason: SessionEndReason) => void) => () => void;
}

/** The owner of the storage. */
interface Owner {
  username: string;
  /** A new id after each erasure of the storage. */
  id: string;
  /** When the server was last reached, in milliseconds since 1970. */
  contactAt: number;
}

/**
 * How long stored data is kept without contact to the server before it is erased unread.
 * Milliseconds.
 */
export const CONTACT_MAX_AGE = 30 * 24 * 60 * 60 * 1_000;

/** Keys in the collection `meta`. `ended` holds the reason for the erasure, for other tabs. */
const OWNER = 'owner';
const ENDED = 'ended';

/** Collections that the server also has. The others exist only on this device. */
const COPIED_COLLECTIONS: readonly StorageCollection[] = ['chats', 'rooms'];
/**
 * Keys of the offline copy in `meta`: what the app needs to start, and the index of stored
 * chatrooms.
 */
export const START_DATA_KEY = 'start-facts';
export const ROOMS_INDEX = 'rooms';

const REASONS: readonly SessionEndReason[] = [
  'logout',
  'revoked',
  'password-changed',
  'account-deleted',
  'expired',
];

/** Opens the user's storage. Erases data of another user and data that is too old. */
export async function createUserStorage(
  storage: ClientStorage,
  username: string,
  locks: TabLocks,
  now: () => number,
): Promise<UserStorage> {
  const known = await findOwner(storage, username, now);
  // The lock prevents two starting tabs from erasing each other's data.
  const owner =
    known ?? (await locks.run('parley.owner', () => claimOwnership(storage, username, now)));
  return ownedStorage(storage, owner, now);
}

/**
 * Erases a user's data as required by the reason for which their session ended. Does nothing if the
 * storage belongs to another user.
 */
export async function eraseUserStorage(
  storage: ClientStorage,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  const owner = parseOwner(await storage.get('meta', OWNER));
  if (owner?.username === username)
    await ownedStorage(storage, owner, Date.now).eraseAfterSession(reason);
}

/**
 * Erases stored data of any user that had no contact to the server for too long, without reading
 * it.
 */
export async function eraseStale(
  storage: ClientStorage,
  now: () => number = Date.now,
): Promise<void> {
  const owner = parseOwner(await storage.get('meta', OWNER));
  if (owner && now() - owner.contactAt >= CONTACT_MAX_AGE) await storage.clear();
}

/** Resolves to undefined if the storage is not this user's or too old. */
async function findOwner(
  storage: ClientStorage,
  username: string,
  now: () => number,
): Promise<Owner | undefined> {
  const found = parseOwner(await storage.get('meta', OWNER));
  const isCurrent = found?.username === username && now() - found.contactAt < CONTACT_MAX_AGE;
  return isCurrent ? found : undefined;
}

/**
 * Assigns the storage to the user. Erases data that is another user's or too old, without reading
 * it.
 */
async function claimOwnership(
  storage: ClientStorage,
  username: string,
  now: () => number,
): Promise<Owner> {
  const known = await findOwner(storage, username, now);
  if (known) return known;
  const owner: Owner = { username, id: randomUuid(), contactAt: now() };
  await storage.clear();
  await storage.put('meta', OWNER, { value: owner });
  return owner;
}

function ownedStorage(storage: ClientStorage, owner: Owner, now: () => number): UserStorage {
  const isSame = (record: StorageRecord | undefined): boolean =>
    parseOwner(record)?.id === owner.id;

  /** Removes the owner. Resolves to whether it was this user. */
  async function releaseOwnership(): Promise<boolean> {
    let wasOwned = false;
    await storage.update('meta', OWNER, (record) => {
      wasOwned = isSame(record);
      return wasOwned ? undefined : 'keep';
    });
    return wasOwned;
  }

  const isOwned = async (): Promise<boolean> => isSame(await storage.get('meta', OWNER));

  return {
    ...storage,
    isOwned,
    recordContact: () =>
      storage.update('meta', OWNER, (record) =>
        isSame(record) ? { value: { ...owner, contactAt: now() } } : 'keep',
      ),
    eraseAfterSession: async (reason) => {
      if (reason === 'expired') return;
      if (shouldEraseEverything(reason)) {
        if (!(await releaseOwnership())) return;
        await storage.clear();
      } else {
        if (!(await isOwned())) return;
        await eraseCopy(storage);
      }
      await storage.put('meta', ENDED, { value: reason });
    },
    onErased: (listener) =>
      storage.onChange(({ collection, key }) => {
        if (collection !== 'meta' || key !== ENDED) return;
        const tell = async (): Promise<void> => {
          const record = await storage.get('meta', ENDED);
          const reason = REASONS.find((known) => known === record?.value);
          if (reason) listener(reason);
        };
        tell().catch(() => undefined);
      }),
  };
}

/**
 * Whether to erase everything after a session that ended for this reason. After a password change,
 * drafts and unsent messages remain for the same user. After an expired session, everything
 * remains.
 */
export function shouldEraseEverything(reason: SessionEndReason): boolean {
  return reason === 'logout' || reason === 'revoked' || reason === 'account-deleted';
}

/** Erases the offline copy. Drafts and unsent messages remain. */
export async function eraseCopy(storage: ClientStorage): Promise<void> {
  await Promise.all([
    storage.clear(COPIED_COLLECTIONS),
    storage.delete('meta', START_DATA_KEY),
    storage.delete('meta', ROOMS_INDEX),
  ]);
}

function parseOwner(record: StorageRecord | undefined): Owner | undefined {
  const value = record?.value;
  return hasFields(value, { username: isText, id: isText, contactAt: isNumber })
    ? (value as Owner)
    : undefined;
}

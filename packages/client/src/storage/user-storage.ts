import type { SessionEndReason } from '@parley/contract';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { TabLocks } from '../platform.ts';
import { randomUuid } from '../uuid.ts';
import type { ClientStorage, StorageCollection, StorageRecord } from './client-storage.ts';

/** The storage of one user. It belongs to them until another user opens it, or until it is erased. */
export interface UserStorage extends ClientStorage {
  /** Notes that the server was reached just now. */
  recordContact: () => Promise<void>;
  /** Resolves to whether what is stored is still this user's: another tab may have erased it. */
  isOwned: () => Promise<boolean>;
  /**
   * Erases what may not stay after a session that ended for this reason, and tells the other tabs. Does
   * nothing once the storage is not this user's any more.
   */
  eraseAfterSession: (reason: SessionEndReason) => Promise<void>;
  /** Calls back when another tab erased the storage, with the reason. Returns how to stop. */
  onErased: (listener: (reason: SessionEndReason) => void) => () => void;
}

/** Whose the storage is. */
interface Owner {
  username: string;
  /** Differs after each time that the storage was erased. */
  id: string;
  /** When the server was last reached, in milliseconds since 1970. */
  contactAt: number;
}

/** What is stored is erased unread after this time without contact to the server. Milliseconds. */
export const CONTACT_MAX_AGE = 30 * 24 * 60 * 60 * 1_000;

/** Keys in the collection `meta`. `ended` tells other tabs why the storage was erased. */
const OWNER = 'owner';
const ENDED = 'ended';

/** What the server has too. The rest was written on this device and is nowhere else. */
const COPIED_COLLECTIONS: readonly StorageCollection[] = ['chats', 'rooms'];
/** Records of it in `meta`: what the app starts with, and which rooms there are. */
export const START_FACTS = 'start-facts';
export const ROOMS_INDEX = 'rooms';

const REASONS: readonly SessionEndReason[] = [
  'logout',
  'revoked',
  'password-changed',
  'account-deleted',
  'expired',
];

/** Returns the user's storage. Erases what another user left in it, and what is too old. */
export async function createUserStorage(
  storage: ClientStorage,
  username: string,
  locks: TabLocks,
  now: () => number,
): Promise<UserStorage> {
  const known = await findOwner(storage, username, now);
  // Two tabs that start at once must not erase what the other has stored by then.
  const owner =
    known ?? (await locks.run('parley.owner', () => claimOwnership(storage, username, now)));
  return ownedStorage(storage, owner, now);
}

/**
 * Erases what may not stay after the user's session ended for this reason. Does nothing where the storage is
 * another user's.
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

/** Erases what had no contact to the server for too long, whoever's it is, without reading it. */
export async function eraseStale(
  storage: ClientStorage,
  now: () => number = Date.now,
): Promise<void> {
  const owner = parseOwner(await storage.get('meta', OWNER));
  if (owner && now() - owner.contactAt >= CONTACT_MAX_AGE) await storage.clear();
}

/** Resolves to undefined where the storage is not this user's, or too old. */
async function findOwner(
  storage: ClientStorage,
  username: string,
  now: () => number,
): Promise<Owner | undefined> {
  const found = parseOwner(await storage.get('meta', OWNER));
  const isCurrent = found?.username === username && now() - found.contactAt < CONTACT_MAX_AGE;
  return isCurrent ? found : undefined;
}

/** Makes the storage the user's. Erases what is another user's or too old, without reading it. */
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

  /** Returns whether the storage was this user's until now, and gives it up. */
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
 * Whether a session that ended for this reason leaves nothing of its user on this device. After a change of
 * the password, what was written and not sent waits for the same user, and after it expired everything does.
 */
export function shouldEraseEverything(reason: SessionEndReason): boolean {
  return reason === 'logout' || reason === 'revoked' || reason === 'account-deleted';
}

/** Erases what the server has too; drafts and what is unsent stay. */
export async function eraseCopy(storage: ClientStorage): Promise<void> {
  await Promise.all([
    storage.clear(COPIED_COLLECTIONS),
    storage.delete('meta', START_FACTS),
    storage.delete('meta', ROOMS_INDEX),
  ]);
}

function parseOwner(record: StorageRecord | undefined): Owner | undefined {
  const value = record?.value;
  return hasFields(value, { username: isText, id: isText, contactAt: isNumber })
    ? (value as Owner)
    : undefined;
}

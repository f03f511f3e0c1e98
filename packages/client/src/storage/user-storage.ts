import type { SessionEndReason } from '@parley/contract';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import { randomUuid } from '../uuid.ts';
import type { ClientStorage, StorageCollection, StorageRecord } from '../client-storage.ts';
import { openPendingErasure } from './pending-erasure.ts';

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

/** A user who opens the storage. */
export interface StorageUser {
  username: string;
  /**
   * When the account was created. Distinguishes a user from a later one with the name of a deleted
   * account. Not checked if undefined.
   */
  registeredAt?: string | undefined;
}

/** The owner of the storage. */
interface Owner extends StorageUser {
  /** A new id after each erasure of the storage. */
  id: string;
  /** When the server was last reached, in milliseconds since 1970. */
  contactAt: number;
}

/**
 * How long stored data is kept without contact with the server before it is erased unread.
 * Milliseconds.
 */
export const CONTACT_MAX_AGE = 30 * 24 * 60 * 60 * 1_000;

/** Milliseconds that a recorded contact may be in the future before the clock counts as wrong. */
export const CONTACT_MAX_AHEAD = 24 * 60 * 60 * 1_000;

/** Name of the lock that is held while the storage gets another owner or is erased. */
const OWNER_LOCK = 'parley.owner';

/**
 * Keys in the collection `meta`. `ended` holds the reason for the erasure and the id of the owner,
 * for other tabs, and whether the erasure is complete.
 */
const OWNER = 'owner';
const ENDED = 'ended';

/** Collections that the server also has. The others exist only on this device. */
const COPIED_COLLECTIONS: readonly StorageCollection[] = ['chats', 'rooms'];
/**
 * Keys of the offline copy in `meta`: the data that the app needs to start, and the index of
 * stored chatrooms.
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

/** The parts of the platform that opening and erasing a user's storage requires. */
export type UserStoragePlatform = Pick<Platform, 'storage' | 'locks'>;

/** Opens the user's storage. Erases data of another user and data that is too old. */
export async function createUserStorage(
  { locks }: Pick<Platform, 'locks'>,
  storage: ClientStorage,
  user: StorageUser,
  now: () => number,
): Promise<UserStorage> {
  const known = await findOwner(storage, user, now);
  if (known) await continueOwnership(storage, known, user);
  // The lock prevents two starting tabs from erasing each other's data.
  const owner = known ?? (await locks.run(OWNER_LOCK, () => claimOwnership(storage, user, now)));
  return ownedStorage(storage, owner, locks, now);
}

/**
 * Resolves to whether the storage belongs to the user and its data is not too old. Changes nothing,
 * while opening a user's storage assigns it to the user, even if it was just erased.
 */
export async function isOwnedBy(
  storage: Pick<ClientStorage, 'get'>,
  username: string,
  now: () => number = Date.now,
): Promise<boolean> {
  return (await findOwner(storage, { username }, now)) !== undefined;
}

/**
 * Erases a user's data as required by the reason for which their session ended. Does nothing if the
 * storage belongs to another user.
 */
export async function eraseUserStorage(
  { locks }: Pick<Platform, 'locks'>,
  storage: ClientStorage,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  await locks.run(OWNER_LOCK, () => eraseDataOf(storage, username, reason));
}

/**
 * Completes the erasure that an earlier page recorded, if any. Call it before anything is read from
 * the storage.
 */
export async function completePendingErasure(
  { storage: texts, locks }: UserStoragePlatform,
  storage: ClientStorage,
): Promise<void> {
  const pending = openPendingErasure(texts);
  if (!pending.read()) return;
  await locks.run(OWNER_LOCK, async () => {
    // Another tab may have completed it, after which the user may have signed in again.
    const erasure = pending.read();
    if (!erasure) return;
    const reason = REASONS.find((known) => known === erasure.reason) ?? 'logout';
    await eraseDataOf(storage, erasure.username, reason);
    pending.remove();
  });
}

/**
 * Erases stored data of any user after too long without contact with the server, and data that an
 * interrupted erasure left. Does not read the data.
 */
export async function eraseStale(
  { locks }: Pick<Platform, 'locks'>,
  storage: ClientStorage,
  now: () => number = Date.now,
): Promise<void> {
  await locks.run(OWNER_LOCK, async () => {
    const owner = parseOwner(await storage.get('meta', OWNER));
    if (!owner) await clearWithoutOwner(storage);
    else if (isStale(owner, now)) await storage.erase();
  });
}

async function eraseDataOf(
  storage: ClientStorage,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  const shouldEraseAll = shouldEraseEverything(reason);
  const owner = parseOwner(await storage.get('meta', OWNER));
  // Without an owner, an erasure of everything was interrupted or is running.
  if (!owner && shouldEraseAll) {
    const ended = (await storage.get('meta', ENDED))?.value;
    if (hasFields(ended, { isErased: (isErased) => isErased === true }))
      await clearWithoutOwner(storage);
    else await eraseAll(storage, typeof ended === 'object' && ended !== null ? ended : undefined);
  }
  if (owner?.username === username) await eraseOwned(storage, owner, reason);
}

/**
 * Erases the data of an owner, unless they no longer own the storage, and notifies the other tabs.
 * The caller holds the lock, because another erasure at the same time could remove the end reason
 * before the other tabs have read it.
 */
async function eraseOwned(
  storage: ClientStorage,
  owner: Owner,
  reason: SessionEndReason,
): Promise<void> {
  if (reason === 'expired') return;
  if (shouldEraseEverything(reason)) {
    if (!(await releaseOwnership(storage, owner))) return;
    await eraseAll(storage, { reason, owner: owner.id });
  } else {
    if (!(await isOwnedById(storage, owner))) return;
    await eraseCopy(storage);
    await storage.put('meta', ENDED, { value: { reason, owner: owner.id } });
  }
}

/** Erases everything except for the end of the session, which other tabs read. */
async function eraseAll(storage: ClientStorage, ended: object | undefined): Promise<void> {
  await storage.clear();
  // Also before the erasure, which takes longer and may be interrupted.
  if (ended) await storage.put('meta', ENDED, { value: ended });
  await storage.erase();
  if (ended) await storage.put('meta', ENDED, { value: { ...ended, isErased: true } });
}

/** Removes the owner. Resolves to whether it was this one. */
async function releaseOwnership(storage: ClientStorage, { id }: Owner): Promise<boolean> {
  let wasOwned = false;
  await storage.update('meta', OWNER, (record) => {
    wasOwned = parseOwner(record)?.id === id;
    return wasOwned ? undefined : 'keep';
  });
  return wasOwned;
}

async function isOwnedById(storage: ClientStorage, { id }: Owner): Promise<boolean> {
  return parseOwner(await storage.get('meta', OWNER))?.id === id;
}

/** Clears the storage except for the end reason, which other tabs may not have read yet. */
async function clearWithoutOwner(storage: ClientStorage): Promise<void> {
  const ended = await storage.get('meta', ENDED);
  await storage.clear();
  if (ended) await storage.put('meta', ENDED, { value: ended.value });
}

function isStale({ contactAt }: Owner, now: () => number): boolean {
  const age = now() - contactAt;
  return age >= CONTACT_MAX_AGE || age < -CONTACT_MAX_AHEAD;
}

function isSameUser(owner: Owner, { username, registeredAt }: StorageUser): boolean {
  // Earlier versions did not store the date of registration.
  const isSameAccount =
    registeredAt === undefined ||
    owner.registeredAt === undefined ||
    owner.registeredAt === registeredAt;
  return owner.username === username && isSameAccount;
}

/** Finds the owner. Resolves to undefined if it is another user or the data is too old. */
async function findOwner(
  storage: Pick<ClientStorage, 'get'>,
  user: StorageUser,
  now: () => number,
): Promise<Owner | undefined> {
  const found = parseOwner(await storage.get('meta', OWNER));
  return found && isSameUser(found, user) && !isStale(found, now) ? found : undefined;
}

/** Prepares the storage for the next session of its owner. */
async function continueOwnership(
  storage: ClientStorage,
  owner: Owner,
  { registeredAt }: StorageUser,
): Promise<void> {
  // A tab that was frozen must not mistake the end of an earlier session for the end of this one.
  if (await storage.get('meta', ENDED)) await storage.delete('meta', ENDED);
  if (registeredAt === undefined || owner.registeredAt !== undefined) return;
  await updateOwner(storage, owner.id, { registeredAt });
}

/** Updates the owner. Does nothing if it is no longer the one with this id. */
function updateOwner(storage: ClientStorage, id: string, changed: Partial<Owner>): Promise<void> {
  return storage.update('meta', OWNER, (record) => {
    const current = parseOwner(record);
    return current?.id === id ? { value: { ...current, ...changed } } : 'keep';
  });
}

/**
 * Assigns the storage to the user. Erases data that is another user's or too old, without reading
 * it.
 */
async function claimOwnership(
  storage: ClientStorage,
  user: StorageUser,
  now: () => number,
): Promise<Owner> {
  const known = await findOwner(storage, user, now);
  if (known) return known;
  const before = parseOwner(await storage.get('meta', OWNER));
  const { username, registeredAt } = user;
  const owner: Owner = {
    username,
    ...(registeredAt !== undefined && { registeredAt }),
    id: randomUuid(),
    contactAt: now(),
  };
  await (before ? storage.erase() : storage.clear());
  await storage.put('meta', OWNER, { value: owner });
  return owner;
}

function ownedStorage(
  storage: ClientStorage,
  owner: Owner,
  locks: Platform['locks'],
  now: () => number,
): UserStorage {
  return {
    ...storage,
    isOwned: () => isOwnedById(storage, owner),
    recordContact: () => updateOwner(storage, owner.id, { contactAt: now() }),
    eraseAfterSession: (reason) => locks.run(OWNER_LOCK, () => eraseOwned(storage, owner, reason)),
    onErased: (listener) => {
      /** The reason is written twice. */
      let notified: SessionEndReason | undefined;
      return storage.onChange(({ collection, key }) => {
        if (collection !== 'meta' || key !== ENDED) return;
        const notify = async (): Promise<void> => {
          const value = (await storage.get('meta', ENDED))?.value;
          const reason = REASONS.find((known) =>
            hasFields(value, {
              reason: (found) => found === known,
              owner: (id) => id === owner.id,
            }),
          );
          if (!reason || reason === notified) return;
          notified = reason;
          listener(reason);
        };
        notify().catch(() => undefined);
      });
    },
  };
}

/**
 * Returns whether to erase everything after a session that ended for this reason. After a password
 * change, drafts and unsent messages remain for the same user. After an expired session, everything
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
  const isOwner = hasFields(value, {
    username: isText,
    registeredAt: (date) => date === undefined || isText(date),
    id: isText,
    contactAt: isNumber,
  });
  return isOwner ? (value as Owner) : undefined;
}

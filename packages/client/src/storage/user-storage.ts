import type { SessionEndReason } from '@parley/contract';
import { hasFields, isNumber, isText, type FieldCheck } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import { randomUuid } from '../uuid.ts';
import type { ClientStorage, StorageCollection, StorageRecord } from '../client-storage.ts';
import { openPendingErasure } from './pending-erasure.ts';

/** A user's storage, until another user opens it or it is erased. */
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
  /** Calls `listener` with the reason when another tab erased the storage. Returns an unsubscribe function. */
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

/** How long stored data is kept without contact with the server before it is erased unread. Milliseconds. */
export const CONTACT_MAX_AGE = 30 * 24 * 60 * 60 * 1_000;

/** Milliseconds that a recorded contact may be in the future before the clock counts as wrong. */
export const CONTACT_MAX_AHEAD = 24 * 60 * 60 * 1_000;

/** How the session of an owner ended, for the other tabs. */
interface SessionEnd {
  reason: SessionEndReason;
  /** Id of the owner. */
  owner: string;
  /** Whether the erasure of everything is complete. */
  isErased?: boolean;
}

/** Name of the lock that is held while the storage gets another owner or is erased. */
const OWNER_LOCK = 'parley.owner';

/** Keys in the collection `meta` of an `Owner` and a `SessionEnd`. */
const OWNER = 'owner';
const ENDED = 'ended';

/** Collections that the server also has. The others exist only on this device. */
const COPIED_COLLECTIONS: readonly StorageCollection[] = ['chats', 'rooms'];
/** Keys of the offline copy in `meta`: the data that the app needs to start, and the index of stored chatrooms. */
export const START_DATA_KEY = 'start-facts';
export const ROOMS_INDEX = 'rooms';

const REASONS: readonly SessionEndReason[] = [
  'logout',
  'revoked',
  'password-changed',
  'account-deleted',
  'expired',
];
const isReason: FieldCheck = (value) => REASONS.some((reason) => reason === value);

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
  return {
    ...storage,
    isOwned: () => isOwnedById(storage, owner),
    recordContact: async () => {
      await changeOwner(storage, owner, (current) => ({ ...current, contactAt: now() }));
    },
    eraseAfterSession: (reason) => locks.run(OWNER_LOCK, () => eraseOwned(storage, owner, reason)),
    onErased: (listener) => {
      /** The reason is written several times. */
      let notified: SessionEndReason | undefined;
      const notify = async (): Promise<void> => {
        const end = await readEnd(storage);
        if (end?.owner !== owner.id || end.reason === notified) return;
        notified = end.reason;
        listener(end.reason);
      };
      return storage.onChange(({ collection, key }) => {
        if (collection === 'meta' && key === ENDED) notify().catch(() => undefined);
      });
    },
  };
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
    const owner = await readOwner(storage);
    if (!owner) await clearExceptEnd(storage, await readEnd(storage));
    else if (isStale(owner, now)) await storage.erase();
  });
}

async function eraseDataOf(
  storage: ClientStorage,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  const owner = await readOwner(storage);
  if (owner?.username === username) await eraseOwned(storage, owner, reason);
  // Without an owner, an erasure of everything was interrupted or is running.
  if (!owner && shouldEraseEverything(reason)) await eraseAll(storage, await readEnd(storage));
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
  const end = { reason, owner: owner.id };
  if (shouldEraseEverything(reason)) {
    if (await changeOwner(storage, owner, () => undefined)) await eraseAll(storage, end);
  } else if (reason !== 'expired' && (await isOwnedById(storage, owner))) {
    await eraseCopy(storage);
    await storage.put('meta', ENDED, { value: end });
  }
}

/** Erases everything except for the end of the session, unless that was done. */
async function eraseAll(storage: ClientStorage, end: SessionEnd | undefined): Promise<void> {
  // First, as the erasure takes longer and may be interrupted.
  await clearExceptEnd(storage, end);
  if (end?.isErased) return;
  await storage.erase();
  if (end) await storage.put('meta', ENDED, { value: { ...end, isErased: true } });
}

/** Clears the storage except for the end of the session, which other tabs may not have read yet. */
async function clearExceptEnd(storage: ClientStorage, end: SessionEnd | undefined): Promise<void> {
  await storage.clear();
  if (end) await storage.put('meta', ENDED, { value: end });
}

/**
 * Changes the owner, or removes it if `change` returns undefined. Does nothing if the storage has another one.
 * Resolves to whether it was this one.
 */
async function changeOwner(
  storage: ClientStorage,
  { id }: Owner,
  change: (current: Owner) => Owner | undefined,
): Promise<boolean> {
  let wasOwned = false;
  await storage.update('meta', OWNER, (record) => {
    const current = parseOwner(record);
    wasOwned = current?.id === id;
    if (!current || !wasOwned) return 'keep';
    const changed = change(current);
    return changed && { value: changed };
  });
  return wasOwned;
}

async function isOwnedById(storage: ClientStorage, { id }: Owner): Promise<boolean> {
  return (await readOwner(storage))?.id === id;
}

function isStale({ contactAt }: Owner, now: () => number): boolean {
  const age = now() - contactAt;
  return age >= CONTACT_MAX_AGE || age < -CONTACT_MAX_AHEAD;
}

function isSameUser(owner: Owner, { username, registeredAt }: StorageUser): boolean {
  // Not every client knows the date of registration.
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
  const owner = await readOwner(storage);
  return owner && isSameUser(owner, user) && !isStale(owner, now) ? owner : undefined;
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
  await changeOwner(storage, owner, (current) => ({ ...current, registeredAt }));
}

/** Assigns the storage to the user. Erases data that is another user's or too old, without reading it. */
async function claimOwnership(
  storage: ClientStorage,
  user: StorageUser,
  now: () => number,
): Promise<Owner> {
  const known = await findOwner(storage, user, now);
  if (known) return known;
  const owner: Owner = { ...user, id: randomUuid(), contactAt: now() };
  await ((await readOwner(storage)) ? storage.erase() : storage.clear());
  await storage.put('meta', OWNER, { value: owner });
  return owner;
}

/**
 * Returns whether to erase everything after a session that ended for this reason. After a password change,
 * drafts and unsent messages remain for the same user. After an expired session, everything remains.
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

async function readEnd(storage: ClientStorage): Promise<SessionEnd | undefined> {
  const value = (await storage.get('meta', ENDED))?.value;
  return hasFields(value, { reason: isReason, owner: isText }) ? (value as SessionEnd) : undefined;
}

async function readOwner(storage: Pick<ClientStorage, 'get'>): Promise<Owner | undefined> {
  return parseOwner(await storage.get('meta', OWNER));
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

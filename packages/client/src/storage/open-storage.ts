import { hasFields, isText } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type { ClientStorage } from '../client-storage.ts';
import {
  createUserStorage,
  type StorageUser,
  type UserStorage,
  type UserStoragePlatform,
} from './user-storage.ts';

/** A client's storage, or undefined if there is none. May stay pending, so nothing may depend on it. */
export type OpenedStorage = Promise<ClientStorage | undefined>;

/** Like {@link OpenedStorage}, but for a user's storage. */
export type OpenedUserStorage = Promise<UserStorage | undefined>;

/**
 * Opens the platform's storage for a user. Resolves to undefined on failure, in which case the
 * client works in memory. Never rejects.
 */
export async function openUserStorage(
  platform: UserStoragePlatform & Pick<Platform, 'openStorage' | 'logFailure'>,
  user: StorageUser,
  now: () => number = Date.now,
): OpenedUserStorage {
  try {
    const storage = await createUserStorage(platform, await platform.openStorage(), user, now);
    await takeOverIntents(storage);
    await takeOverReplies(storage);
    return storage;
  } catch (error) {
    platform.logFailure('opening the storage', error);
    return undefined;
  }
}

/** Moves the messages to which drafts reply, which an earlier version has stored in records of their own, to the drafts. */
async function takeOverReplies(storage: ClientStorage): Promise<void> {
  for (const { key, value } of await storage.getAll('drafts')) {
    if (!key.startsWith('reply:') || !hasFields(value, { username: isText })) continue;
    const { data: replyTo, ...owner } = value as { data?: unknown };
    await storage.update('drafts', key.slice('reply:'.length), (known) => {
      const { data } = (known?.value ?? {}) as { data?: unknown };
      const draft = isText(data) ? { text: data } : { text: '', ...(data as object) };
      return { value: { ...owner, data: { ...draft, replyTo } } };
    });
    await storage.delete('drafts', key);
  }
}

/** Moves the changes that an earlier version has stored in a collection of their own to the outbox. */
async function takeOverIntents(storage: ClientStorage): Promise<void> {
  for (const { key, value } of await storage.getAll('intents')) {
    await storage.update('outbox', key, (known) => (known ? 'keep' : { value }));
    await storage.delete('intents', key);
  }
}

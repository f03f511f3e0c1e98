import type { TextStorage } from '../platform.ts';

/** Returns the `localStorage` key under which earlier versions kept a user's outbox. */
export const legacyOutboxKey = (username: string): string => `parley.outbox.${username}`;

/** Returns the `localStorage` key under which earlier versions kept a user's drafts. */
export const legacyDraftsKey = (username: string): string => `parley.drafts.${username}`;

/** Erases the records of a user that earlier versions left in `localStorage`, if any. */
export function eraseLegacyRecords(texts: Pick<TextStorage, 'removeItem'>, username: string): void {
  try {
    texts.removeItem(legacyOutboxKey(username));
    texts.removeItem(legacyDraftsKey(username));
  } catch {
    // The browser forbids local storage, so nothing is stored.
  }
}

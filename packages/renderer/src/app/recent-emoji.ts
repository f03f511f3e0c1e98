import { localRecord } from '../browser/local-record.ts';

/** A recently used emoji in the emoji picker's storage format. `original` has no skin tone. */
interface RecentEmoji {
  unified: string;
  original: string;
  count: number;
}

/** The picker's own maximum. */
const MAX_RECENT = 14;

// The picker defines the key and the format, and shares them among all users of this browser.
const recentRecord = () => localRecord<readonly RecentEmoji[]>('epr_suggested', [], parseRecent);

/** The user whose emoji are stored. An expired session keeps them for the same user. */
const ownerRecord = () =>
  localRecord<string | undefined>('parley.emoji-owner', undefined, (value) =>
    typeof value === 'string' ? value : undefined,
  );

function parseRecent(value: unknown): RecentEmoji[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(
    (entry: Partial<RecentEmoji> | null): entry is RecentEmoji =>
      typeof entry?.unified === 'string' &&
      typeof entry.original === 'string' &&
      typeof entry.count === 'number',
  );
}

/** Adds an emoji to the recently used ones. Needed for picks that the picker does not record itself. */
export function addRecentEmoji(unified: string, original: string): void {
  const entries = recentRecord().read();
  const count = (entries.find((entry) => entry.unified === unified)?.count ?? 0) + 1;
  const others = entries.filter((entry) => entry.unified !== unified);
  recentRecord().write([{ unified, original, count }, ...others].slice(0, MAX_RECENT));
}

/** Removes the recently used emoji of any other user. Call it when a user signs in. */
export function claimRecentEmoji(username: string): void {
  const before = ownerRecord().read();
  if (before !== undefined && before !== username) recentRecord().remove();
  ownerRecord().write(username);
}

/** Removes all recently used emoji. */
export function clearRecentEmoji(): void {
  recentRecord().remove();
  ownerRecord().remove();
}

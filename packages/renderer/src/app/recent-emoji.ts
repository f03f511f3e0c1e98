import { localRecord } from '../browser/local-record.ts';

/** How the emoji picker stores a recently used emoji. `original` has no skin tone. */
interface RecentEmoji {
  unified: string;
  original: string;
  count: number;
}

/** As many as the picker keeps itself. */
const MAX_RECENT = 14;

// The key and the format are the picker's, which reads and writes them for every user of this browser.
const recent = () => localRecord<readonly RecentEmoji[]>('epr_suggested', [], parseRecent);

function parseRecent(value: unknown): RecentEmoji[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(
    (entry: Partial<RecentEmoji> | null): entry is RecentEmoji =>
      typeof entry?.unified === 'string' &&
      typeof entry.original === 'string' &&
      typeof entry.count === 'number',
  );
}

/** Adds an emoji to the recently used ones, for picks that the picker does not record itself. */
export function addRecentEmoji(unified: string, original: string): void {
  const entries = recent().read();
  const count = (entries.find((entry) => entry.unified === unified)?.count ?? 0) + 1;
  const others = entries.filter((entry) => entry.unified !== unified);
  recent().write([{ unified, original, count }, ...others].slice(0, MAX_RECENT));
}

/** Erases which emoji were picked lately. */
export function clearRecentEmoji(): void {
  recent().remove();
}

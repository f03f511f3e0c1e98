/** An emoji with its display name and all names, in any case. */
interface NamedEmoji {
  readonly name: string;
  readonly names: readonly string[];
}

/**
 * Ranks the emoji of a search, best first: by whether the display name is the query, starts with it or has a
 * word that does, then by the same for the keywords. Ties keep their order.
 */
export function rankEmoji<Emoji extends NamedEmoji>(
  found: readonly Emoji[],
  query: string,
): Emoji[] {
  const normalizedQuery = query.trim().toLowerCase();
  return found
    .map((emoji) => ({ emoji, rank: rankOf(emoji, normalizedQuery) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ emoji }) => emoji);
}

function rankOf({ name, names }: NamedEmoji, normalizedQuery: string): number {
  const display = name.toLowerCase();
  const keywords = names.map((keyword) => keyword.toLowerCase());
  if (display === normalizedQuery) return 0;
  if (display.startsWith(normalizedQuery)) return 1;
  if (display.split(/[\s:,-]+/u).some((word) => word.startsWith(normalizedQuery))) return 2;
  if (keywords.includes(normalizedQuery)) return 3;
  if (keywords.some((keyword) => keyword.startsWith(normalizedQuery))) return 4;
  return 5;
}

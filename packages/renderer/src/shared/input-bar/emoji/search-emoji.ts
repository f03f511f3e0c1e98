import { searchEmojis, type EmojiData } from 'emoji-picker-react/data';
import { rankEmoji } from './rank-emoji.ts';

/** An emoji that was found. */
export interface FoundEmoji {
  /** Its code in the skin tone, or the id of the custom emoji. */
  code: string;
  /** Its code without a skin tone. */
  neutralCode: string;
  /** Name in lower case. */
  name: string;
}

/** The emoji that is not part of Unicode. */
interface CustomEntry {
  id: string;
  /** All names, the displayed one first. */
  names: readonly string[];
}

interface EmojiSource {
  /** The names of a language. English without them. */
  names: EmojiData | undefined;
  /** Code of the chosen skin tone. */
  tone: string;
  custom: CustomEntry;
}

/** Returns the name of an emoji as its language writes it: German nouns are capitalized. */
export function displayedName({ neutralCode, name }: FoundEmoji, names?: EmojiData): string {
  const all = Object.values(names?.emojis ?? {}).flat();
  return all.find(({ u }) => u.toLowerCase() === neutralCode)?.n.at(-1) ?? name;
}

/** Returns the emoji with a query in their names, best first. */
export function searchEmoji(query: string, { names, tone, custom }: EmojiSource): FoundEmoji[] {
  const normalizedQuery = query.trim().toLowerCase();
  const matches = searchEmojis(normalizedQuery, names && { emojiData: names }).map((emoji) => ({
    name: emoji.name,
    names: emoji.names,
    code: emoji.variations.find((code) => code.split('-')[1] === tone) ?? emoji.unified,
    neutralCode: emoji.unified,
  }));
  const { id } = custom;
  const isOwnFound = custom.names.some((name) => name.toLowerCase().includes(normalizedQuery));
  const own = { code: id, neutralCode: id, name: custom.names[0] ?? id, names: custom.names };
  return rankEmoji(isOwnFound ? [own, ...matches] : matches, normalizedQuery);
}

/** The beginning of an emoji's name after a colon, in a text that is being written. */
export interface EmojiQuery {
  /** Where the colon is. */
  start: number;
  /** The name so far, without the colon. */
  name: string;
}

/**
 * A colon that does not follow a word, a number or an address, and a name from its second letter on. So smileys of one
 * letter, times and addresses are none.
 */
const NAME_AT_END =
  /(?<![\p{L}\p{M}\p{N}:/]):(?<name>\p{L}\p{M}*\p{L}[\p{L}\p{M}\p{N}_+-]{0,30})$/u;

/** The longest text with a name, and the character before it. */
const REACH = 80;

/** Returns the emoji's name that ends at the cursor, if any. */
export function findEmojiQuery(text: string, cursor: number): EmojiQuery | undefined {
  if (/^[\p{L}\p{M}\p{N}_]/u.test(text.slice(cursor, cursor + 2))) return undefined;
  const { name } = NAME_AT_END.exec(text.slice(Math.max(0, cursor - REACH), cursor))?.groups ?? {};
  return name === undefined ? undefined : { start: cursor - name.length - 1, name };
}

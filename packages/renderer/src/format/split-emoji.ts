/** A run of a text: one emoji, or what stands between two. */
export interface EmojiPiece {
  /** Where it begins in the text. */
  offset: number;
  text: string;
  isEmoji: boolean;
}

// As a string: the flag is newer than the syntax that the sources are checked for.
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');

/** Splits a text into its emoji and the rest. Together the pieces are the text. */
export function splitEmoji(text: string): EmojiPiece[] {
  const pieces: EmojiPiece[] = [];
  let end = 0;
  const addText = (upTo: number): void => {
    if (upTo > end) pieces.push({ offset: end, text: text.slice(end, upTo), isEmoji: false });
  };
  for (const { index, 0: emoji } of text.matchAll(EMOJI)) {
    addText(index);
    pieces.push({ offset: index, text: emoji, isEmoji: true });
    end = index + emoji.length;
  }
  addText(text.length);
  return pieces;
}

/** A part of a text: one emoji, or the text between two emoji. */
export interface EmojiPiece {
  /** Index of its first code unit in the text. */
  offset: number;
  text: string;
  isEmoji: boolean;
}

// Built from a string, as the `v` flag is newer than the syntax target of the sources.
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');

/** Splits a text into its emoji and the text between them, without losing characters. */
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

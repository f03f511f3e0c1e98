import { endpointPath } from './endpoints.ts';

/** Sets of emoji pictures that the server itself has. */
export const EMOJI_SETS = ['twitter', 'google'] as const;
export type EmojiSet = (typeof EMOJI_SETS)[number];

/** Sets that only another place has, which the operator names. */
export const FOREIGN_EMOJI_SETS = ['apple', 'facebook'] as const;
export type ForeignEmojiSet = (typeof FOREIGN_EMOJI_SETS)[number];

/** Path of an emoji's picture on the server. `code` as {@link emojiCode} gives it. */
export function emojiPath(set: EmojiSet, code: string): string {
  return endpointPath('getEmoji', { set, file: `${code}.svg` });
}

/**
 * The code points of an emoji as its pictures are named by: hexadecimal, at least four digits, joined
 * by hyphens, without the selector that only asks for a picture (fe0f).
 */
export function emojiCode(emoji: string): string {
  return withoutSelector(fullEmojiCode(emoji));
}

/** The code points of an emoji, every selector included. */
export function fullEmojiCode(emoji: string): string {
  return Array.from(emoji, (point) =>
    (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  ).join('-');
}

/** A code without fe0f. */
export function withoutSelector(code: string): string {
  return code.replaceAll(/-fe0f\b/g, '');
}

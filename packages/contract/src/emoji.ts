import { endpointPath } from './endpoints.ts';

/** Emoji sets that the server provides. */
export const EMOJI_SETS = ['twitter', 'google'] as const;
export type EmojiSet = (typeof EMOJI_SETS)[number];

/** Emoji sets hosted elsewhere, at a URL that the operator configures. */
export const EXTERNAL_EMOJI_SETS = ['apple', 'facebook'] as const;
export type ExternalEmojiSet = (typeof EXTERNAL_EMOJI_SETS)[number];

/** The shortcode of the product's own emoji, which is not part of Unicode. */
export const CUSTOM_REACTION = ':circassia:';

/**
 * Returns the path of an emoji's image on the server. `code` is the result of {@link emojiCode}.
 */
export function emojiPath(set: EmojiSet, code: string): string {
  return endpointPath('getEmoji', { set, file: `${code}.svg` });
}

/**
 * Returns the code points of an emoji as used in file names: hexadecimal with at least four digits,
 * joined by hyphens, without the variation selector fe0f.
 */
export function emojiCode(emoji: string): string {
  return withoutSelector(fullEmojiCode(emoji));
}

/** Returns the code points of an emoji, including variation selectors. */
export function fullEmojiCode(emoji: string): string {
  return Array.from(emoji, (point) =>
    (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  ).join('-');
}

/** Returns a code without fe0f. */
export function withoutSelector(code: string): string {
  return code.replaceAll(/-fe0f\b/g, '');
}

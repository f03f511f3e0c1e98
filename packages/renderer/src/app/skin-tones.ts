/** The skin tones of emoji: the code points of their modifiers in hexadecimal, as in the emoji picker. */
export const SKIN_TONES = ['neutral', '1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff'] as const;

/** One of the skin tones. */
export type SkinTone = (typeof SKIN_TONES)[number];

/** Returns an emoji in a skin tone. Most emoji have none and stay as they are. */
export function withSkinTone(emoji: string, tone: SkinTone): string {
  if (tone === 'neutral' || !/^\p{Emoji_Modifier_Base}$/u.test(emoji)) return emoji;
  return emoji + String.fromCodePoint(Number.parseInt(tone, 16));
}

/** Returns an emoji without its skin tones. */
export function withoutSkinTone(emoji: string): string {
  return emoji.replaceAll(/\p{Emoji_Modifier}/gu, '');
}

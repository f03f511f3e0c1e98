import {
  EMOJI_SETS,
  emojiPath,
  FOREIGN_EMOJI_SETS,
  withoutSelector,
  type EmojiSet,
  type PublicConfig,
} from '@parley/contract';
import type { EmojiStyle } from '../app/settings.ts';

/** The styles that can be chosen on a server: further ones only where its operator names a place. */
export function emojiStyles({ emojiUrl }: Pick<PublicConfig, 'emojiUrl'>): readonly EmojiStyle[] {
  return ['native', ...EMOJI_SETS, ...(emojiUrl === undefined ? [] : FOREIGN_EMOJI_SETS)];
}

/**
 * Gives the address of an emoji's picture in a style by its full code; undefined for the native style
 * and for one that the server does not offer.
 */
export function emojiUrl(
  style: EmojiStyle,
  code: string,
  config: Pick<PublicConfig, 'emojiUrl'>,
  serverOrigin: string,
): string | undefined {
  if (style === 'native') return undefined;
  if (isOwn(style)) return serverOrigin + emojiPath(style, withoutSelector(code));
  return config.emojiUrl?.replaceAll('{style}', style).replaceAll('{code}', code);
}

function isOwn(style: string): style is EmojiSet {
  return (EMOJI_SETS as readonly string[]).includes(style);
}

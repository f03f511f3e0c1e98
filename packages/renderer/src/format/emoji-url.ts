import {
  EMOJI_SETS,
  emojiPath,
  EXTERNAL_EMOJI_SETS,
  withoutSelector,
  type EmojiSet,
  type PublicConfig,
} from '@parley/contract';
import type { EmojiStyle } from '../app/device-settings.ts';

/** Returns the emoji styles of a server. Some are available only if its operator has configured a URL for them. */
export function emojiStyles({ emojiUrl }: Pick<PublicConfig, 'emojiUrl'>): readonly EmojiStyle[] {
  return ['native', ...EMOJI_SETS, ...(emojiUrl === undefined ? [] : EXTERNAL_EMOJI_SETS)];
}

/**
 * Returns the URL of an emoji's image by its full code; undefined for the native style and for a style that
 * the server does not offer.
 */
export function emojiUrl(
  style: EmojiStyle,
  code: string,
  config: Pick<PublicConfig, 'emojiUrl'>,
  serverOrigin: string,
): string | undefined {
  if (style === 'native') return undefined;
  if (isHosted(style)) return serverOrigin + emojiPath(style, withoutSelector(code));
  return config.emojiUrl?.replaceAll('{style}', style).replaceAll('{code}', code);
}

function isHosted(style: string): style is EmojiSet {
  return (EMOJI_SETS as readonly string[]).includes(style);
}

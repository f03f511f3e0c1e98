import { fullEmojiCode } from '@parley/contract';
import { useCallback } from 'react';
import { useSettings } from '../app/app-context.ts';
import type { EmojiStyle } from '../app/settings.ts';
import { useHost, usePublicConfig } from '../host/host-context.ts';
import { emojiStyles, emojiUrl } from './emoji-url.ts';

/** The style of emoji that applies here: the chosen one, or the native one where this server has no other. */
export function useEmojiStyle(): EmojiStyle {
  const style = useSettings((state) => state.emojiStyle);
  return emojiStyles(usePublicConfig()).includes(style) ? style : 'native';
}

/** Gives the address of an emoji's picture in the chosen style; undefined where emoji are native. */
export function useEmojiUrl(): ((emoji: string) => string | undefined) | undefined {
  const { serverOrigin } = useHost();
  const config = usePublicConfig();
  const style = useEmojiStyle();
  const urlOf = useCallback(
    (emoji: string) => emojiUrl(style, fullEmojiCode(emoji), config, serverOrigin),
    [config, serverOrigin, style],
  );
  return style === 'native' ? undefined : urlOf;
}

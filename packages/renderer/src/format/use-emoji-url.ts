import { fullEmojiCode } from '@parley/contract';
import { useCallback } from 'react';
import { useSettings } from '../app/app-context.ts';
import type { EmojiStyle } from '../app/device-settings.ts';
import { useHost, usePublicConfig } from '../host/host-context.ts';
import { emojiStyles, emojiUrl } from './emoji-url.ts';

/** Returns the chosen emoji style, or the native one if the server does not offer it. */
export function useEmojiStyle(): EmojiStyle {
  const style = useSettings((state) => state.emojiStyle);
  return emojiStyles(usePublicConfig()).includes(style) ? style : 'native';
}

/** Returns a function for the URL of an emoji's image in the chosen style; undefined for the native style. */
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

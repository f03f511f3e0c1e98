import { isolate, type Message } from '@parley/contract';
import type { TFunction } from 'i18next';
import { CIRCASSIA } from './custom-emoji.ts';
import { mediaViewOf } from './message-kinds.ts';
import { shorten } from './preview.ts';
import { reactionText } from './reaction-text.ts';

/** Maximum number of characters that are read out or put into a notification. */
const MAX_LENGTH = 300;

/** Returns a message, or a reaction to it, as plain text, for notifications and screen readers. */
export function messagePlainText(
  { kind, content, reaction }: Pick<Message, 'kind' | 'content'> & { reaction?: string },
  t: TFunction,
): string {
  if (reaction !== undefined) {
    return withEmojiNames(
      reactionText(reaction, kind, isolate(shorten(content, MAX_LENGTH)), t),
      t,
    );
  }
  const media = mediaViewOf(kind);
  if (media) return t(media.label.preview);
  return withEmojiNames(shorten(content, MAX_LENGTH), t) || t('message.newerKind');
}

function withEmojiNames(text: string, t: TFunction): string {
  return text.replaceAll(CIRCASSIA.shortcode, t(CIRCASSIA.nameKey));
}

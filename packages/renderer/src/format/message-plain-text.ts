import type { Message } from '@parley/contract';
import type { TFunction } from 'i18next';
import { CIRCASSIA } from './custom-emoji.ts';
import { shorten } from './preview.ts';

/** Maximum number of characters that are read out or put into a notification. */
const MAX_LENGTH = 300;

/** Returns a message as plain text, for notifications and screen readers. */
export function messagePlainText(
  { kind, content }: Pick<Message, 'kind' | 'content'>,
  t: TFunction,
): string {
  if (kind === 'image') return t('chatList.sentImage');
  if (kind === 'audio') return t('chatList.sentAudio');
  return shorten(content, MAX_LENGTH).replaceAll(CIRCASSIA.shortcode, t(CIRCASSIA.nameKey));
}

import type { Message } from '@parley/contract';
import type { TFunction } from 'i18next';
import { CIRCASSIA } from './custom-emoji.ts';
import { shorten } from './preview.ts';

/** Longest part of a message that is read out or put in a notification, in characters. */
const LONGEST = 300;

/** A message in words alone: what a notification or a screen reader says. */
export function messagePlainText(
  { kind, content }: Pick<Message, 'kind' | 'content'>,
  t: TFunction,
): string {
  if (kind === 'image') return t('chatList.sentImage');
  if (kind === 'audio') return t('chatList.sentAudio');
  return shorten(content, LONGEST).replaceAll(CIRCASSIA.shortcode, t(CIRCASSIA.nameKey));
}

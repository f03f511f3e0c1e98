import type { Quote } from '@parley/contract';
import type { TFunction } from 'i18next';
import { shorten } from '../../../format/preview.ts';

/** Maximum number of characters of a quote. */
const MAX_LENGTH = 120;

/** Returns the name of the sender of a quoted message, or "You". Empty if the message is deleted. */
export function quoteName({ username, isDeleted }: Quote, currentUsername: string, t: TFunction) {
  if (isDeleted) return '';
  return username === currentUsername ? t('reply.you') : username;
}

/** Returns the text of a quote: one line of a text, or what kind of message it is. */
export function quoteText(quote: Quote | undefined, t: TFunction): string {
  if (!quote) return t('reply.unknown');
  if (quote.isDeleted) return t('reply.deleted');
  if (quote.kind === 'image') return t('reply.photo');
  if (quote.kind === 'audio') return t('reply.recording');
  return shorten(quote.content, MAX_LENGTH);
}

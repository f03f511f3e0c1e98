import type { Quote } from '@parley/contract';
import type { TFunction } from 'i18next';
import { mediaViewOf } from '../../../format/message-kinds.ts';
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
  const media = mediaViewOf(quote.kind);
  if (media) return t(media.label.quote);
  return shorten(quote.content, MAX_LENGTH) || t('message.newerKind');
}

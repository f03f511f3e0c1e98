import type { Message } from '@parley/contract';
import type { Language } from '@parley/texts';
import type { TFunction } from 'i18next';
import { formatDate, formatTime } from '../../../format/dates.ts';
import { mediaViewOf } from '../../../format/message-kinds.ts';

/** Returns the text of a message for the clipboard, or of several with their senders and times. */
export function copiedText(messages: readonly Message[], language: Language, t: TFunction): string {
  const [first] = messages;
  if (first && messages.length === 1) return textOf(first, t);
  return messages
    .map((message) => {
      const { createdAt, sender } = message;
      // Plain text has plain spaces.
      const time = formatTime(createdAt, language).replaceAll('\u00A0', ' ');
      return `[${formatDate(createdAt, language)}, ${time}] ${sender.username}: ${textOf(message, t)}`;
    })
    .join('\n');
}

function textOf({ kind, content }: Message, t: TFunction): string {
  const media = mediaViewOf(kind);
  return media ? t(media.label.result) : content || t('message.newerKind');
}

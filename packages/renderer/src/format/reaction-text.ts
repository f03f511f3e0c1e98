import type { TFunction } from 'i18next';
import { mediaViewOf } from './message-kinds.ts';

/** Returns what the partner did, for the chat list and notifications. The text is shortened by the caller. */
export function reactionText(emoji: string, kind: string, text: string, t: TFunction): string {
  const media = mediaViewOf(kind);
  return media ? t(media.reaction, { emoji }) : t('reaction.received', { emoji, text });
}

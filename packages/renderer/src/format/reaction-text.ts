import type { MessageKind } from '@parley/contract';
import type { TFunction } from 'i18next';

/** Returns what the partner did, for the chat list and notifications. The text is shortened by the caller. */
export function reactionText(emoji: string, kind: MessageKind, text: string, t: TFunction): string {
  if (kind === 'image') return t('reaction.receivedImage', { emoji });
  if (kind === 'audio') return t('reaction.receivedAudio', { emoji });
  return t('reaction.received', { emoji, text });
}

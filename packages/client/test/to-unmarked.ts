import type { ListedChat } from '../src/index.ts';
import type { Chat } from '../src/stores/chat-list.ts';

/** Returns a listed chat without the marks that follow from its settings and the clock. */
export function toUnmarked({
  isArchived: _isArchived,
  isMuted: _isMuted,
  isMarkedUnread: _isMarkedUnread,
  ...chat
}: ListedChat): Chat {
  return chat;
}

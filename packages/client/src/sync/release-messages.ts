import type { ClientStores } from '../client-stores.ts';
import { findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import { WINDOW_MAX, withinMemory } from '../stores/message-window.ts';

/** Releases messages of a chatroom as others have arrived. One that is not open is loaded again when it is. */
export function releaseMessages(
  { rooms, view }: Pick<ClientStores, 'rooms' | 'view'>,
  chatroomId: string,
): void {
  const room = findLoadedChatroom(rooms.getState(), chatroomId);
  const { chatroomId: openId, findPosition } = view.getState();
  if (!room) return;
  if (openId !== chatroomId) {
    if (room.messages.length > WINDOW_MAX) rooms.getState().removeEntry(chatroomId);
  } else {
    rooms.getState().update(chatroomId, (now) => withinMemory(now, () => findPosition?.()?.seq));
  }
}

import type { StoreApi } from 'zustand/vanilla';
import type { ChatsState } from '../stores/chats.ts';

/** A tracker of the latest known revisions of chatrooms, to detect outdated pages. */
export interface RevTracker {
  record: (chatroomId: string, rev: number) => void;
  /**
   * Returns the highest revision of a chatroom from events and the chat list, or 0 if there is
   * none.
   */
  getLatest: (chatroomId: string) => number;
}

/** Creates a tracker without revisions from events. */
export function createRevTracker(chats: StoreApi<ChatsState>): RevTracker {
  const fromEvents = new Map<string, number>();
  return {
    record: (chatroomId, rev) =>
      void fromEvents.set(chatroomId, Math.max(rev, fromEvents.get(chatroomId) ?? 0)),
    getLatest: (chatroomId) =>
      Math.max(
        fromEvents.get(chatroomId) ?? 0,
        chats.getState().chats.find(({ id }) => id === chatroomId)?.rev ?? 0,
      ),
  };
}

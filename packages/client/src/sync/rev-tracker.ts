import type { StoreApi } from 'zustand/vanilla';
import type { ChatsState } from '../stores/chats.ts';

/** Which revisions of rooms were heard of, so that a page that is older than them is known to be. */
export interface RevTracker {
  record: (chatroomId: string, rev: number) => void;
  /** Returns the highest of a room, from events and from the chat list; 0 where there is none. */
  getLatest: (chatroomId: string) => number;
}

/** Creates the record with nothing heard yet. */
export function createRevTracker(chats: StoreApi<ChatsState>): RevTracker {
  const heard = new Map<string, number>();
  return {
    record: (chatroomId, rev) =>
      void heard.set(chatroomId, Math.max(rev, heard.get(chatroomId) ?? 0)),
    getLatest: (chatroomId) =>
      Math.max(
        heard.get(chatroomId) ?? 0,
        chats.getState().chats.find(({ id }) => id === chatroomId)?.rev ?? 0,
      ),
  };
}

import { useChats } from '../stores/chats.ts';

/** Which revisions of rooms were heard of, so that a page that is older than them is known to be. */
export interface HeardRevs {
  note: (chatId: string, rev: number) => void;
  /** The highest of a room, from events and from the list of chats; 0 where there is none. */
  latest: (chatId: string) => number;
}

/** Nothing heard yet. */
export function createHeardRevs(): HeardRevs {
  const heard = new Map<string, number>();
  return {
    note: (chatId, rev) => void heard.set(chatId, Math.max(rev, heard.get(chatId) ?? 0)),
    latest: (chatId) =>
      Math.max(
        heard.get(chatId) ?? 0,
        useChats.getState().chats.find(({ id }) => id === chatId)?.rev ?? 0,
      ),
  };
}

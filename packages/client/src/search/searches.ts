import type { ClientCore } from '../client-core.ts';
import type { StoreEvents } from '../sync/event-handlers.ts';
import type { FindMessages } from './find-messages.ts';
import type { HitChange } from './hit-changes.ts';
import { createSearch, type Search, type SearchOptions } from './search.ts';

/** The searches of a client. */
export interface Searches {
  /** Creates a search without conditions. */
  readonly create: (options?: SearchOptions) => Search;
  /** Returns the handlers of live events, which also keep results current. */
  readonly observe: (handlers: StoreEvents) => StoreEvents;
}

type SearchesDeps = Pick<ClientCore, 'username' | 'stores' | 'signal' | 'timing'> & {
  find: FindMessages;
};

/** Creates the searches. None runs before its conditions are set. */
export function createSearches({ find, username, stores, signal, timing }: SearchesDeps): Searches {
  const { connection, shown } = stores;
  /** The listeners of the searches that run. */
  const listeners = new Map<Search, (change: HitChange) => void>();
  const report = (change: HitChange): void => listeners.forEach((listener) => listener(change));

  // A chat that the user blocked, declined or deleted, here or on another device, is no longer listed.
  shown.chats.subscribe((state, before) => {
    if (listeners.size === 0 || state.chats === before.chats || state.isFromCopy) return;
    const listed = new Map(state.chats.map((chat) => [chat.id, chat]));
    for (const { id, ownClearedSeq = 0 } of before.chats) {
      const chat = listed.get(id);
      const { ownClearedSeq: seq = 0 } = chat ?? {};
      if (!chat) report({ type: 'room-gone', chatroomId: id });
      else if (seq > ownClearedSeq) report({ type: 'cleared', chatroomId: id, seq });
    }
  });

  signal.addEventListener('abort', () => {
    for (const search of listeners.keys()) search.dispose();
  });

  return {
    create: (options) => {
      const onChange = (listener: (change: HitChange) => void): (() => void) => {
        listeners.set(search, listener);
        return () => listeners.delete(search);
      };
      const search = createSearch({ find, username, connection, timing, onChange }, options);
      return search;
    },
    observe: (handlers) => ({
      ...handlers,
      'message-update': (event) => {
        handlers['message-update'](event);
        report({ type: 'updated', message: event.updatedMessage });
      },
      'message-delete': (event) => {
        handlers['message-delete'](event);
        report({ type: 'deleted', messageId: event.deletedMessage._id });
      },
      chat: (state) => {
        handlers.chat(state);
        if (state.isDeletedAccount) report({ type: 'partner-deleted', chatroomId: state.chatId });
      },
    }),
  };
}

import type { ChatList } from '@parley/contract';
import { fetchChats } from '../api/chatrooms.ts';
import { otherPersonError, unreadableError, type ApiClient, type Tagged } from '../api/client.ts';
import { chatOf, mergeChats, withUnread } from '../stores/chat-list.ts';
import { useChats } from '../stores/chats.ts';

/** Fetches the chat list, never twice at once. */
export interface ChatListLoader {
  /** Fetches now. Rejects with the `ApiError`, which the list shows too. */
  load: () => Promise<void>;
  /** Fetches soon; many requests become one. */
  request: () => void;
  /** Says that a room was read, so that a list made before does not undo it. */
  noteRead: (chatId: string, unread: number) => void;
  stop: () => void;
}

/** How long requests are gathered, in milliseconds. */
const GATHER_MS = 250;

interface ChatListLoaderDeps {
  api: ApiClient;
  /** Name of the signed-in person. */
  username: string;
  /** The list is another person's: they signed in in this browser. */
  onSomebodyElse: () => void;
}

/** Fetches nothing yet. */
export function createChatListLoader(deps: ChatListLoaderDeps): ChatListLoader {
  const { api, username, onSomebodyElse } = deps;
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readMeanwhile = new Map<string, number>();
  /** What the server said last: it is not sent again as long as it holds. */
  let last: Tagged<ChatList> | undefined;

  async function fetchAndApply(): Promise<void> {
    readMeanwhile = new Map();
    useChats.getState().setLoading();
    try {
      last = (await fetchChats(api, last?.etag, abort.signal)) ?? last;
      if (last === undefined) throw unreadableError('Nothing changed since nothing');
      const { chatrooms, currentUsername } = last.body;
      if (currentUsername !== username) {
        onSomebodyElse();
        throw otherPersonError();
      }
      let chats = mergeChats(useChats.getState().chats, chatrooms.map(chatOf));
      for (const [id, unread] of readMeanwhile) chats = withUnread(chats, id, unread);
      useChats.getState().setChats(chats);
    } catch (error) {
      if (!abort.signal.aborted) useChats.getState().setFailed(error);
      throw error;
    }
  }

  async function load(): Promise<void> {
    // An answer under way may be older than the reason for this call: one more follows it.
    await running?.catch(() => undefined);
    running ??= fetchAndApply().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    load,
    request: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        load().catch(() => undefined);
      }, GATHER_MS);
    },
    noteRead: (chatId, unread) => {
      readMeanwhile.set(chatId, unread);
    },
    stop: () => {
      clearTimeout(timer);
      abort.abort();
    },
  };
}

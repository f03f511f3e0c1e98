import type { ChatList, ChatSettings } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import { fetchChats } from '../api/validated-calls.ts';
import {
  ApiError,
  createOtherUserError,
  createUnreadableError,
  type ApiClient,
  type Tagged,
} from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import {
  furthestReceipt,
  newestSettings,
  toChat,
  withChangedSettings,
  withReceipt,
  withUnread,
  type Chat,
  type PartnerReceipt,
} from '../stores/chat-list.ts';
import type { ChatsState } from '../stores/chats.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';

/** A loader of the chat list. It never fetches the list twice at the same time. */
export interface ChatListLoader {
  /** Fetches now. Rejects with an `ApiError`, which the store also receives. */
  load: () => Promise<void>;
  /** Fetches soon, and again after a temporary failure. Throttles frequent requests. */
  request: () => void;
  /** Records the unread count of a chatroom, so that an older response does not undo it. */
  recordUnread: (chatroomId: string, unread: number, rev: number | undefined) => void;
  /** Records what the partner has received and read, so that an older response does not undo it. */
  recordReceipt: (chatroomId: string, receipt: PartnerReceipt) => void;
  /** Records the settings of a chat, so that an older response does not undo them. */
  recordSettings: (chatroomId: string, settings: ChatSettings) => void;
  stop: () => void;
}

interface ChatListLoaderDeps {
  api: ApiClient;
  chats: StoreApi<ChatsState>;
  username: string;
  /** Called if the list belongs to another user, who signed in in this browser. */
  onOtherUser: () => void;
  /** Returns a number that changes with the status of a chat, which outdates running requests. */
  getStatusVersion: () => number;
  timing?: Pick<ClientTiming, 'chatListThrottle' | 'resyncRetryMin' | 'resyncRetryMax'>;
}

/** Creates a loader. It fetches nothing before the first call. */
export function createChatListLoader(deps: ChatListLoaderDeps): ChatListLoader {
  const { api, chats: store, username, onOtherUser, getStatusVersion } = deps;
  const { timing = DEFAULT_TIMING } = deps;
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const backoff = createBackoff(timing.resyncRetryMin, timing.resyncRetryMax);
  let unreadUpdates = new Map<string, { unread: number; rev: number | undefined }>();
  let receiptUpdates = new Map<string, PartnerReceipt>();
  let settingsUpdates = new Map<string, ChatSettings>();
  /** The last response, reused while its entity tag is current. */
  let last: Tagged<ChatList> | undefined;

  /** Fetches the list, again if a chat was accepted, blocked or the like in the meantime. */
  async function fetchCurrent(): Promise<ChatList> {
    for (;;) {
      const version = getStatusVersion();
      unreadUpdates = new Map();
      receiptUpdates = new Map();
      settingsUpdates = new Map();
      last = (await fetchChats(api, last?.etag, abort.signal)) ?? last;
      if (last === undefined)
        throw createUnreadableError('A 304 response without an earlier response');
      if (version === getStatusVersion()) return last.body;
    }
  }

  async function fetchAndApply(): Promise<void> {
    const revsBefore = new Map(store.getState().chats.map(({ id, rev }) => [id, rev]));
    store.getState().setLoading();
    try {
      const { chatrooms, currentUsername } = await fetchCurrent();
      if (currentUsername !== username) {
        onOtherUser();
        throw createOtherUserError();
      }
      let chats: readonly Chat[] = chatrooms.map(toChat);
      for (const [id, { unread, rev }] of unreadUpdates) {
        const listed = chats.find((chat) => chat.id === id);
        if (rev === undefined || listed?.rev === rev) chats = withUnread(chats, id, unread);
        else request();
      }
      for (const [id, receipt] of receiptUpdates) chats = withReceipt(chats, id, receipt);
      for (const [id, settings] of settingsUpdates) {
        chats = withChangedSettings(chats, id, settings);
      }
      // A response is never older than its request, unless the server was restored from a backup.
      const restored = chats.filter(({ id, rev }) => (revsBefore.get(id) ?? 0) > rev);
      store.getState().setFetched(chats, new Set(restored.map(({ id }) => id)));
      clearTimeout(retryTimer);
      backoff.reset();
    } catch (error) {
      if (!abort.signal.aborted) store.getState().setFailed(error);
      throw error;
    }
  }

  async function load(): Promise<void> {
    // A running request may have missed the change that caused this call, so another one follows
    // it.
    await running?.catch(() => undefined);
    abort.signal.throwIfAborted();
    running ??= fetchAndApply().finally(() => {
      running = undefined;
    });
    return running;
  }

  function request(): void {
    if (abort.signal.aborted) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      load().catch(retryLater);
    }, timing.chatListThrottle);
  }

  // Without a retry, the list could stay outdated, because the next event may not reveal it.
  function retryLater(error: unknown): void {
    if (abort.signal.aborted || !(error instanceof ApiError) || !error.isTemporary) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(request, backoff.next());
  }

  return {
    load,
    request,
    recordUnread: (chatroomId, unread, rev) => {
      unreadUpdates.set(chatroomId, { unread, rev });
    },
    recordReceipt: (chatroomId, receipt) => {
      const known = receiptUpdates.get(chatroomId);
      receiptUpdates.set(chatroomId, furthestReceipt(known, receipt));
    },
    recordSettings: (chatroomId, settings) => {
      const known = settingsUpdates.get(chatroomId);
      settingsUpdates.set(chatroomId, newestSettings(known, settings));
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(retryTimer);
      abort.abort();
    },
  };
}

import type { ChatList } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import {
  ApiError,
  createOtherUserError,
  createUnreadableError,
  type ApiClient,
  type Tagged,
} from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import { toChat } from '../stores/chat-list.ts';
import { getKnownChats, type ChatsState } from '../stores/chats.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';

/** A loader of the chat list. It never fetches the list twice at the same time. */
export interface ChatListLoader {
  /** Fetches now. Rejects with an `ApiError`, which the store also receives. */
  load: () => Promise<void>;
  /**
   * Fetches soon, and again after a temporary failure. Throttles frequent requests.
   * @param isNeeded returns whether what has arrived until then still lacks something. By default, it does
   */
  request: (isNeeded?: () => boolean) => void;
  stop: () => void;
}

interface ChatListLoaderDeps {
  api: ApiClient;
  chats: StoreApi<ChatsState>;
  username: string;
  /** Called if the list belongs to another user, who signed in in this browser. */
  onOtherUser: () => void;
  timing?: Pick<ClientTiming, 'chatListThrottle' | 'resyncRetryMin' | 'resyncRetryMax'>;
}

/** Creates a loader. It fetches nothing before the first call. */
export function createChatListLoader(deps: ChatListLoaderDeps): ChatListLoader {
  const { api, chats: store, username, onOtherUser, timing = DEFAULT_TIMING } = deps;
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Why the list is fetched at the end of the throttle, if any of these still applies. */
  let reasons: (() => boolean)[] = [];
  const backoff = createBackoff(timing.resyncRetryMin, timing.resyncRetryMax);
  /** The last response, reused while its entity tag is current. */
  let last: Tagged<ChatList> | undefined;

  async function fetchAndApply(): Promise<void> {
    const before = getKnownChats(store.getState());
    store.getState().setLoading();
    try {
      last = (await api.callIfChanged('listChats', last?.etag, { signal: abort.signal })) ?? last;
      if (last === undefined) {
        throw createUnreadableError('A 304 response without an earlier response');
      }
      const { chatrooms, currentUsername } = last.body;
      if (currentUsername !== username) {
        onOtherUser();
        throw createOtherUserError();
      }
      store.getState().setFetched(chatrooms.map(toChat), before);
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

  function request(isNeeded = () => true): void {
    if (abort.signal.aborted || !isNeeded()) return;
    reasons.push(isNeeded);
    timer ??= setTimeout(() => {
      timer = undefined;
      const isStillNeeded = reasons.some((reason) => reason());
      reasons = [];
      if (isStillNeeded) load().catch(retryLater);
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
    stop: () => {
      clearTimeout(timer);
      clearTimeout(retryTimer);
      abort.abort();
    },
  };
}

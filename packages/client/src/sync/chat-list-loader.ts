import type { ChatList } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import {
  ApiError,
  createOtherUserError,
  createUnreadableError,
  type Tagged,
} from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import type { ChatListLoader, ClientCore } from '../client-core.ts';
import { runLater } from '../run-later.ts';
import { toChat } from '../stores/chat-list.ts';
import { getKnownChats, type ChatsState } from '../stores/chats.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';

interface ChatListLoaderDeps extends Pick<ClientCore, 'api' | 'username' | 'signal'> {
  chats: StoreApi<ChatsState>;
  /** Called if the list belongs to another user, who signed in in this browser. */
  onOtherUser: () => void;
  timing?: Pick<ClientTiming, 'chatListThrottle' | 'resyncRetryMin' | 'resyncRetryMax'>;
}

/** Creates a loader. It fetches nothing before the first call. */
export function createChatListLoader(deps: ChatListLoaderDeps): ChatListLoader {
  const { api, chats: store, username, signal, onOtherUser, timing = DEFAULT_TIMING } = deps;
  let running: Promise<void> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Why the list is fetched at the end of the throttle, if any of these still applies. */
  const reasons: (() => boolean)[] = [];
  const backoff = createBackoff(timing.resyncRetryMin, timing.resyncRetryMax);
  /** The last response, reused while its entity tag is current. */
  let last: Tagged<ChatList> | undefined;

  async function fetchAndApply(): Promise<void> {
    const before = getKnownChats(store.getState());
    store.getState().setLoading();
    try {
      last = (await api.callIfChanged('listChats', last?.etag, { signal })) ?? last;
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
      if (!signal.aborted) store.getState().setFailed(error);
      throw error;
    }
  }

  async function load(): Promise<void> {
    // A running request may have missed the change that caused this call, so another one follows it.
    await running?.catch(() => undefined);
    signal.throwIfAborted();
    running ??= fetchAndApply().finally(() => {
      running = undefined;
    });
    return running;
  }

  function request(isNeeded = () => true): void {
    if (signal.aborted || !isNeeded()) return;
    reasons.push(isNeeded);
    if (reasons.length > 1) return;
    runLater(signal, timing.chatListThrottle, () => {
      const due = reasons.splice(0);
      if (due.some((reason) => reason())) load().catch(retryLater);
    });
  }

  // Without a retry, the list could stay outdated, because the next event may not reveal it.
  function retryLater(error: unknown): void {
    if (signal.aborted || !(error instanceof ApiError) || !error.isTemporary) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(request, backoff.next());
  }

  signal.addEventListener('abort', () => clearTimeout(retryTimer));
  return { load, request };
}

import { ApiError } from '../api/client.ts';
import type { ClientCore } from '../client-core.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { isServerReachable } from '../stores/connection.ts';
import { isInChatList, toChat } from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import { withNewestPage, withChatState } from '../stores/loaded-chatroom.ts';
import type { ChatStates } from './chat-states.ts';
import type { ChatroomLoader } from './chatroom-loader.ts';

interface PrefetchDeps extends ClientCore {
  copy: OfflineCopy;
  chatroomLoader: ChatroomLoader;
  states: ChatStates;
  /** Resyncs the stored chatrooms. */
  resyncCopy: () => void;
}

/** Number of chats that open offline even if the user has never opened them on this device. */
export const PREFETCHED_CHATS = 50;
/** Requests at the same time. */
const CONCURRENCY = 2;
/** A chat that the server cannot read must not keep the others from being fetched. */
const FAILURES_MAX = 3;

/**
 * Fetches the newest page of the most recent chats that are not in the offline copy, while there is nothing else to do.
 * Does nothing for quiet requests. Resolves when it is done, or after some failures, as when the connection is lost.
 */
export async function prefetchChatrooms(deps: PrefetchDeps): Promise<void> {
  const { platform } = deps;
  if ((await findMissing(deps)).length === 0) return;
  await platform.locks.run('parley.prefetch', async () => {
    // Another tab may have fetched them.
    const missing = await findMissing(deps);
    let failures = 0;
    const work = async (): Promise<void> => {
      for (let id = missing.shift(); id !== undefined; id = missing.shift()) {
        await platform.whenIdle?.();
        if (failures >= FAILURES_MAX || !canFetch(deps)) return;
        if (!(await prefetch(deps, id))) failures += 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  });
}

/** Finds the chats to fetch, most recent first. */
async function findMissing(deps: PrefetchDeps): Promise<string[]> {
  const { status, isFromCopy, chats } = deps.stores.chats.getState();
  if (!canFetch(deps) || status !== 'ready' || isFromCopy) return [];
  const recent = chats
    .filter(({ isDeleted, status: chatStatus }) => !isDeleted && chatStatus !== 'request')
    .toSorted((a, b) => (a.activeAt < b.activeAt ? 1 : -1))
    .slice(0, PREFETCHED_CHATS)
    .map(({ id }) => id);
  return deps.copy.findMissing(recent);
}

function canFetch({ stores, signal }: PrefetchDeps): boolean {
  return !signal.aborted && isServerReachable(stores.connection.getState());
}

/** Fetches and stores a chatroom, if it still exists. Resolves to whether that succeeded. */
async function prefetch(deps: PrefetchDeps, id: string): Promise<boolean> {
  const { api, stores, copy, chatroomLoader, states, resyncCopy } = deps;
  try {
    const page = await api.call('getChatroom', { params: { id } });
    states.apply(toChat(page.chat));
    // The user may have blocked or declined it meanwhile.
    const chat = findChat(stores.chats.getState(), id);
    if (!chat || !isInChatList(chat)) return true;
    const room = withChatState(withNewestPage(id, page), chat);
    await copy.addChatroom(room);
    if (chatroomLoader.getLatestRev(id) > room.rev) resyncCopy();
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code === 'room_not_found';
  }
}

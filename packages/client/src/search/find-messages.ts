import type { SearchConditions, SearchHit } from '@parley/contract';
import { ApiError } from '../api/client.ts';
import type { ClientCore } from '../client-core.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { withChangesOfChatroom } from '../outbox/changes/change-types.ts';
import { mayReachServer } from '../stores/connection.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { getLoadedChatrooms, type ChatroomsState } from '../stores/loaded-chatrooms.ts';
import { isCopyCursor, searchChatrooms } from './search-copy.ts';

/** The order of results. */
export type HitOrder = 'newest' | 'oldest';

/** Options of a single page of results. */
export interface FindOptions {
  /** Defaults to `newest`. The server finds the oldest only in a single chatroom. */
  readonly order?: HitOrder;
  /** Defaults to `LIMITS.searchPageDefault`. */
  readonly limit?: number;
  /** From the page before, to continue it with the same conditions and order. */
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** A page of results. */
export interface FoundMessages {
  readonly hits: readonly SearchHit[];
  /** Present if there may be more, even if there are fewer results than the limit, or none. */
  readonly cursor: string | undefined;
  /** Number of all results up to `LIMITS.searchTotalMax`. Undefined if it is not known. */
  readonly total: number | undefined;
  /** Whether only messages on this device were searched, as there is no connection. */
  readonly isOffline: boolean;
}

/**
 * Finds messages on the server, or on this device while there is no connection. Rejects with an `ApiError` if the
 * server refuses.
 */
export type FindMessages = (
  conditions: SearchConditions,
  options?: FindOptions,
) => Promise<FoundMessages>;

type FindMessagesDeps = Pick<ClientCore, 'api' | 'username' | 'stores'> & {
  copy: Pick<OfflineCopy, 'readChatrooms'>;
};

/** Creates the function that finds messages. */
export function createFindMessages(deps: FindMessagesDeps): FindMessages {
  const { api, username, stores, copy } = deps;

  async function findOnServer(
    conditions: SearchConditions,
    { signal, ...options }: FindOptions,
  ): Promise<FoundMessages> {
    const body = { ...conditions, ...options };
    const { hits, cursor, total } = await api.call('searchMessages', { body, signal });
    return { hits, cursor, total, isOffline: false };
  }

  async function findInCopy(
    conditions: SearchConditions,
    options: FindOptions,
  ): Promise<FoundMessages> {
    const stored = await copy.readChatrooms();
    options.signal?.throwIfAborted();
    const { changes } = stores.outbox.getState();
    const changesOf = Map.groupBy(changes, ({ chatroomId }) => chatroomId);
    const rooms = withLoadedChatrooms(stored, stores.rooms.getState()).flatMap(
      (room) => withChangesOfChatroom(room, changesOf.get(room.id) ?? []) ?? [],
    );
    return searchChatrooms(rooms, conditions, username, options);
  }

  return async (conditions, options = {}) => {
    const { cursor } = options;
    // The server and the copy do not continue each other's pages.
    const shouldUseCopy =
      cursor === undefined ? !mayReachServer(stores.connection.getState()) : isCopyCursor(cursor);
    if (shouldUseCopy) return findInCopy(conditions, options);
    try {
      return await findOnServer(conditions, options);
    } catch (error) {
      const isOffline = error instanceof ApiError && error.code === 'offline';
      if (!isOffline || cursor !== undefined) throw error;
      return findInCopy(conditions, options);
    }
  };
}

/** Returns the stored chatrooms, with those in memory instead of their copies. */
function withLoadedChatrooms(
  stored: readonly LoadedChatroom[],
  state: ChatroomsState,
): readonly LoadedChatroom[] {
  const others = stored.filter(({ id }) => {
    const status = state.rooms[id]?.status;
    return status !== 'ready' && status !== 'missing';
  });
  return [...getLoadedChatrooms(state), ...others];
}

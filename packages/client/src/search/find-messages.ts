import { LIMITS, type SearchConditions, type SearchHit } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { withChangesOfChatroom } from '../outbox/changes/change-types.ts';
import type { ClientStores } from '../client-stores.ts';
import { mayReachServer } from '../stores/connection.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { getLoadedChatrooms } from '../stores/loaded-chatrooms.ts';
import { searchChatrooms, type HitOrder } from './search-copy.ts';

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

interface FindMessagesDeps {
  api: ApiClient;
  username: string;
  stores: Pick<ClientStores, 'rooms' | 'outbox' | 'connection'>;
  copy: Pick<OfflineCopy, 'readChatrooms'>;
}

/** Begins the cursors of results on this device, which the server would not understand. */
const COPY_PREFIX = 'copy:';

/** Creates the function that finds messages. */
export function createFindMessages(deps: FindMessagesDeps): FindMessages {
  const { api, username, stores, copy } = deps;

  async function findOnServer(
    conditions: SearchConditions,
    { signal, ...options }: FindOptions,
  ): Promise<FoundMessages> {
    const { hits, cursor, total } = await api.call('searchMessages', {
      body: { ...conditions, ...options },
      signal,
    });
    return { hits, cursor, total, isOffline: false };
  }

  async function findInCopy(
    conditions: SearchConditions,
    { order = 'newest', limit = LIMITS.searchPageDefault, cursor, signal }: FindOptions,
  ): Promise<FoundMessages> {
    const stored = await copy.readChatrooms();
    signal?.throwIfAborted();
    const { changes } = stores.outbox.getState();
    const rooms = withLoadedChatrooms(stored, stores.rooms.getState()).flatMap(
      (room) =>
        withChangesOfChatroom(
          room,
          changes.filter(({ chatroomId }) => chatroomId === room.id),
        ) ?? [],
    );
    const page = searchChatrooms(rooms, conditions, {
      username,
      order,
      limit,
      cursor: cursor?.slice(COPY_PREFIX.length),
    });
    return {
      hits: page.hits,
      cursor: page.cursor === undefined ? undefined : COPY_PREFIX + page.cursor,
      total: Math.min(page.total, LIMITS.searchTotalMax),
      isOffline: true,
    };
  }

  return async (conditions, options = {}) => {
    const isFromCopy = options.cursor?.startsWith(COPY_PREFIX);
    const isConnected = mayReachServer(stores.connection.getState());
    // A page of the copy does not continue one of the server.
    const canUseCopy = isFromCopy ?? true;
    if (isFromCopy || (canUseCopy && !isConnected)) return findInCopy(conditions, options);
    try {
      return await findOnServer(conditions, options);
    } catch (error) {
      const isOffline = error instanceof ApiError && error.code === 'offline';
      if (!isOffline || !canUseCopy) throw error;
      return findInCopy(conditions, options);
    }
  };
}

/** Returns the stored chatrooms, with those in memory instead of their copies. */
function withLoadedChatrooms(
  stored: readonly LoadedChatroom[],
  state: ReturnType<ClientStores['rooms']['getState']>,
): readonly LoadedChatroom[] {
  const gone = new Set(
    Object.entries(state.rooms).flatMap(([id, entry]) => (entry.status === 'missing' ? [id] : [])),
  );
  const loaded = getLoadedChatrooms(state);
  for (const { id } of loaded) gone.add(id);
  return [...loaded, ...stored.filter(({ id }) => !gone.has(id))];
}

import type { SearchConditions, SearchHit } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ClientStores } from '../client-stores.ts';
import type { ClientTiming } from '../timing.ts';
import { isServerReachable } from '../stores/connection.ts';
import type { FindMessages, FindOptions, FoundMessages, HitOrder } from './find-messages.ts';
import { withChangedHits, type HitChange } from './hit-changes.ts';
import { checkConditions, isSameConditions, withoutEmpty } from './search-conditions.ts';

/**
 * Status of a search: `idle` without conditions, `tooShort` if all words are too short, `searching` while the
 * results of changed conditions are awaited, `results`, or `failed`.
 */
export type SearchStatus = 'idle' | 'tooShort' | 'searching' | 'results' | 'failed';

/** State of a search. */
export interface SearchState {
  readonly status: SearchStatus;
  readonly conditions: SearchConditions;
  /**
   * In the order of the search. While searching, those found before. If live changes remove all of them, the
   * next page is loaded.
   */
  readonly hits: readonly SearchHit[];
  /** Number of all matching messages up to `LIMITS.searchTotalMax`. Undefined if it is not known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Why the next page could not be loaded. */
  readonly moreError: unknown;
  /** Whether only messages on this device were searched, as there is no connection. */
  readonly isOffline: boolean;
  /** Why the search failed. */
  readonly error: unknown;
}

/** A search in messages whose results stay current. */
export interface Search {
  readonly store: StoreApi<SearchState>;
  /** Sets what to search for. Searches once the conditions stay the same for a moment. */
  readonly setConditions: (conditions: SearchConditions) => void;
  /** Searches now if the search is about to start. */
  readonly searchNow: () => void;
  /** Adds the next page of results. The store shows a failure. */
  readonly loadMore: () => Promise<void>;
  /** Searches again, after a failure. */
  readonly retry: () => void;
  /** Cancels the search and forgets its results. `setConditions` starts it again. */
  readonly dispose: () => void;
}

/** Options of a search. */
export interface SearchOptions {
  /** Number of results per page. Defaults to `LIMITS.searchPageDefault`. */
  readonly pageSize?: number;
  /** The order of the results. Defaults to `newest`. The server finds the oldest only in a single chatroom. */
  readonly order?: HitOrder;
}

interface SearchDeps {
  find: FindMessages;
  username: string;
  connection: ClientStores['connection'];
  timing: Pick<ClientTiming, 'searchDebounce'>;
  /** Calls `listener` with live changes of messages. Returns an unsubscribe function. */
  onChange: (listener: (change: HitChange) => void) => () => void;
}

const IDLE: SearchState = {
  status: 'idle',
  conditions: {},
  hits: [],
  total: undefined,
  hasMore: false,
  isLoadingMore: false,
  moreError: undefined,
  isOffline: false,
  error: undefined,
};

/** Creates a search without conditions. */
export function createSearch(deps: SearchDeps, options: SearchOptions = {}): Search {
  const { find, username, connection, timing, onChange } = deps;
  const { pageSize, order } = options;
  const page = { ...(pageSize !== undefined && { limit: pageSize }), ...(order && { order }) };
  const store = createStore<SearchState>()(() => IDLE);
  /** Runs until conditions have stayed the same for a moment. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted by the next search. */
  let running = new AbortController();
  /** Whether the results are being replaced, and then whether the next page is wanted, too. */
  let isReplacing = false;
  let isMoreWanted = false;
  let cursor: string | undefined;
  /** Changes since the requests that are running, whose responses may be older. */
  let recent: HitChange[] = [];
  let unsubscribe: (() => void)[] = [];

  function subscribe(): void {
    if (unsubscribe.length > 0) return;
    unsubscribe = [
      onChange((change) => {
        recent.push(change);
        store.setState((state) => withChangedHits(state, [change], username));
        loadIfEmpty();
      }),
      connection.subscribe(({ status }, before) => {
        // Changes were missed while there was no live connection.
        if (status !== before.status && isServerReachable({ status })) refresh();
      }),
    ];
  }

  function release(): void {
    unsubscribe.splice(0).forEach((stop) => stop());
  }

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
    isReplacing = false;
    isMoreWanted = false;
    running.abort();
    running = new AbortController();
  }

  /** Replaces the results by at least the wanted number of them, by default any, if there are as many. */
  async function replace(wanted?: number): Promise<void> {
    cancel();
    const { signal } = running;
    const { conditions } = store.getState();
    recent = [];
    isReplacing = true;
    try {
      const found = await fetchPages(find, conditions, { ...page, signal }, wanted);
      if (signal.aborted) return;
      ({ cursor } = found);
      const { hits, total, isOffline } = found;
      const hasMore = cursor !== undefined;
      const results = { ...IDLE, hits, total, isOffline, hasMore, conditions };
      isReplacing = false;
      store.setState({ ...withChangedHits(results, recent, username), status: 'results' });
      if (isMoreWanted) void loadMore();
      else loadIfEmpty();
    } catch (error) {
      if (signal.aborted) return;
      isReplacing = false;
      store.setState({ ...IDLE, status: 'failed', conditions, error });
    }
  }

  async function loadMore(): Promise<void> {
    const { status, hasMore, isLoadingMore, conditions } = store.getState();
    if (status !== 'results' || !hasMore || isLoadingMore || cursor === undefined) return;
    if (isReplacing) {
      isMoreWanted = true;
      return;
    }
    const { signal } = running;
    recent = [];
    store.setState({ isLoadingMore: true, moreError: undefined });
    try {
      const found = await fetchPages(find, conditions, { ...page, signal, cursor });
      if (signal.aborted) return;
      ({ cursor } = found);
      const hasMore = cursor !== undefined;
      store.setState((state) => {
        const hits = withAdded(state.hits, found.hits);
        return withChangedHits({ ...state, hits, hasMore, isLoadingMore: false }, recent, username);
      });
      loadIfEmpty();
    } catch (error) {
      if (!signal.aborted) store.setState({ isLoadingMore: false, moreError: error });
    }
  }

  /** Loads the next page if no result is left, for example because the chat was blocked. */
  function loadIfEmpty(): void {
    const { hits, moreError } = store.getState();
    if (hits.length === 0 && moreError === undefined) void loadMore();
  }

  /** Replaces the results without showing that it searches. */
  function refresh(): void {
    const { status, hits } = store.getState();
    if (status === 'results') void replace(hits.length);
    else if (status === 'failed') retry();
    else if (status === 'searching' && timer === undefined) void replace();
  }

  function retry(): void {
    const { status, conditions } = store.getState();
    if (checkConditions(conditions) !== 'ready') return;
    if (status !== 'searching') store.setState({ ...IDLE, status: 'searching', conditions });
    void replace();
  }

  return {
    store,
    setConditions: (next) => {
      const conditions = withoutEmpty(next);
      if (isSameConditions(conditions, store.getState().conditions)) return;
      cancel();
      const check = checkConditions(conditions);
      if (check !== 'ready') {
        if (check === 'idle') release();
        store.setState({ ...IDLE, status: check, conditions });
        return;
      }
      subscribe();
      const { hits, total, isOffline } = store.getState();
      store.setState({ ...IDLE, status: 'searching', conditions, hits, total, isOffline });
      timer = setTimeout(() => void replace(), timing.searchDebounce);
    },
    searchNow: () => {
      if (timer !== undefined) void replace();
    },
    loadMore,
    retry,
    dispose: () => {
      cancel();
      release();
      store.setState(IDLE, true);
    },
  };
}

/** Fetches pages until they have the wanted number of results, by default any. */
async function fetchPages(
  find: FindMessages,
  conditions: SearchConditions,
  options: FindOptions,
  wanted = 1,
): Promise<FoundMessages> {
  const first = await find(conditions, options);
  const hits = [...first.hits];
  let { cursor } = first;
  try {
    while (cursor !== undefined && hits.length < wanted) {
      const found = await find(conditions, { ...options, cursor });
      hits.push(...found.hits);
      ({ cursor } = found);
    }
  } catch (error) {
    if (hits.length === 0) throw error;
  }
  return { ...first, hits, cursor };
}

/** Returns results with those of the next page that are new. */
function withAdded(hits: readonly SearchHit[], next: readonly SearchHit[]): readonly SearchHit[] {
  const known = new Set(hits.map(({ message }) => message._id));
  return [...hits, ...next.filter(({ message }) => !known.has(message._id))];
}

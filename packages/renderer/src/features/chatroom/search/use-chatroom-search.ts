import type { LoadedChatroom, Search, SearchState } from '@parley/client';
import { parseSearchQuery } from '@parley/contract';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useClient } from '../../../client/client-context.ts';
import { toConditions, type SearchFilters } from '../../../shared/search/search-filters.ts';
import type { ChatroomJumps } from '../jumps/use-chatroom-jumps.ts';
import type { ChatroomHighlights } from './chatroom-highlights.ts';

/** Number of results per page, so that the next ones are usually known. */
const PAGE_SIZE = 100;
/** How many results before the last known one the next page is loaded. */
const LOAD_AHEAD = 10;

/** A search in the messages of the open chatroom. */
export interface ChatroomSearch {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  text: string;
  setText: (text: string) => void;
  filters: SearchFilters;
  setFilters: (filters: SearchFilters) => void;
  /** The search and its results, newest first. */
  state: SearchState;
  /** Searches again, or loads more results again. */
  retry: () => void;
  /** Position of the selected result in the results, starting at 0; -1 if there is none. */
  selected: number;
  /** Selects and shows the next older or newer result. Undefined if there is none. */
  goOlder: (() => void) | undefined;
  goNewer: (() => void) | undefined;
  /** Whether there are results other than the selected one. `goOlder` and `goNewer` show an only result again. */
  hasOthers: boolean;
}

const NO_FILTERS: SearchFilters = {};

/** Returns the search in a chatroom. It shows the newest result as soon as it is found. */
export function useChatroomSearch(
  room: Pick<LoadedChatroom, 'id'>,
  jumps: Pick<ChatroomJumps, 'reveal'>,
): ChatroomSearch {
  const client = useClient();
  const { id } = room;
  const [search] = useState(() => client.createSearch({ pageSize: PAGE_SIZE }));
  const state = useStore(search.store);
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const [filters, setFilters] = useState(NO_FILTERS);
  const [selectedId, setSelectedId] = useState<string>();
  // The first jump of each search leads back to where the user was reading.
  const [isFirstJump, setIsFirstJump] = useState(true);
  const { hits, hasMore } = state;
  const selected = hits.findIndex(({ message }) => message._id === selectedId);

  const select = (index: number): void => {
    // The results of this render may be older than those that were just found.
    const { hits: found } = search.store.getState();
    const message = found[index]?.message;
    setSelectedId(message?._id);
    if (!message) return;
    setIsFirstJump(false);
    jumps.reveal({ seq: message.seq, messageId: message._id }, !isFirstJump);
    if (index >= found.length - LOAD_AHEAD) loadMore();
  };
  const loadMore = (): void => void search.loadMore();

  useFirstResult(search, () => select(0));
  useEffect(() => {
    search.setConditions(isOpen ? { ...toConditions(text, filters), chatroomId: id } : {});
  }, [search, isOpen, text, filters, id]);
  useEffect(() => () => search.dispose(), [search]);

  const last = hits.length - 1;
  // Once all results are known, the first one follows the last one.
  const next = selected < last ? selected + 1 : 0;
  const previous = selected > 0 ? selected - 1 : last;
  const hasNewer = last >= 0 && (selected > 0 || !hasMore);
  return {
    isOpen,
    open: () => setIsOpen(true),
    close: () => {
      setIsOpen(false);
      setText('');
      setFilters(NO_FILTERS);
      setSelectedId(undefined);
      setIsFirstJump(true);
    },
    text,
    setText,
    filters,
    setFilters,
    state,
    retry: state.status === 'failed' ? search.retry : loadMore,
    selected,
    goOlder: last < 0 ? undefined : selected === last && hasMore ? loadMore : () => select(next),
    goNewer: hasNewer ? () => select(previous) : undefined,
    hasOthers: last > 0 || hasMore || (last === 0 && selected < 0),
  };
}

/** Returns what the messages highlight for a search. */
export function useChatroomHighlights({
  isOpen,
  text,
  state,
  selected,
}: ChatroomSearch): ChatroomHighlights {
  const query = isOpen ? text : '';
  const seq = state.hits[selected]?.message.seq;
  return useMemo(() => ({ words: parseSearchQuery(query), seq }), [query, seq]);
}

/** Calls `onFound` when a search with changed conditions has found its results. */
function useFirstResult({ store }: Search, onFound: () => void): void {
  const handleFound = useEffectEvent(onFound);
  useEffect(
    () =>
      store.subscribe(({ status }, before) => {
        if (status === 'results' && before.status === 'searching') handleFound();
      }),
    [store],
  );
}

import { isBlank } from '@parley/contract';
import type { ListedChat, Search, SearchState } from '@parley/client';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useClient, useClientState } from '../../client/client-context.ts';
import { findChats } from './find-chats.ts';
import { hasFilters, toConditions, type SearchFilters } from './search-filters.ts';

/** A search in all chats: what the user has entered, and what was found. */
export interface MessageSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly filters: SearchFilters;
  readonly setFilters: (filters: SearchFilters) => void;
  /** Removes the text and the filters. */
  readonly clear: () => void;
  /** Whether the user has entered anything. */
  readonly isActive: boolean;
  /** The chats with the text in their names. Filters apply to messages only, so that they exclude chats. */
  readonly chats: readonly ListedChat[];
  readonly messages: SearchState;
  readonly search: Pick<Search, 'searchNow' | 'loadMore' | 'retry'>;
}

const NO_FILTERS: SearchFilters = {};

/** Returns a search in all chats, which lasts as long as the component. */
export function useMessageSearch(): MessageSearch {
  const client = useClient();
  const listed = useClientState('chats', (state) => state.chats);
  const [search] = useState(() => client.createSearch());
  const messages = useStore(search.store);
  const [text, setText] = useState('');
  const [filters, setFilters] = useState(NO_FILTERS);
  const isFiltered = hasFilters(filters);

  useEffect(() => search.setConditions(toConditions(text, filters)), [search, text, filters]);
  useEffect(() => search.dispose, [search]);

  return {
    text,
    setText,
    filters,
    setFilters,
    clear: () => {
      setText('');
      setFilters(NO_FILTERS);
    },
    isActive: !isBlank(text) || isFiltered,
    chats: isFiltered ? [] : findChats(listed, text),
    messages,
    search,
  };
}

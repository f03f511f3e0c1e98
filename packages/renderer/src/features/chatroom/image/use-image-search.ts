import type { Search, SearchOptions } from '@parley/client';
import type { Message, SearchConditions } from '@parley/contract';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useClient } from '../../../client/client-context.ts';
import { NO_MORE_PAGES, toImagePages, type ImagePages } from './image-pages.ts';

/** Number of images per page. */
const PAGE_SIZE = 30;

/** Which images of a chatroom are searched. */
interface ImageSearch {
  chatroomId: string;
  order: NonNullable<SearchOptions['order']>;
  /** Sent before this time, or at this time or later; UTC milliseconds. Without either, nothing is searched. */
  before?: number | undefined;
  after?: number | undefined;
}

interface FoundImages {
  /** In the order of the search. */
  messages: readonly Message[];
  /** @param loaded number of the images in this range that are loaded, also by other means */
  toPages: (loaded: number) => ImagePages;
}

const NOTHING: FoundImages = { messages: [], toPages: () => NO_MORE_PAGES };

/** Searches the images of a chatroom in a range of time, one page at first. */
export function useImageSearch({ chatroomId, order, before, after }: ImageSearch): FoundImages {
  const client = useClient();
  const [search] = useState<Search>(() => client.createSearch({ pageSize: PAGE_SIZE, order }));
  const state = useStore(search.store);
  const isWanted = before !== undefined || after !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    const conditions: SearchConditions = {
      chatroomId,
      kind: 'image',
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
    search.setConditions(conditions);
    search.searchNow();
  }, [search, chatroomId, isWanted, before, after]);
  useEffect(() => search.dispose, [search]);
  const messages = useMemo(() => state.hits.map(({ message }) => message), [state.hits]);
  if (!isWanted) return NOTHING;
  // Until the effect has run, the search is idle.
  const current = state.status === 'idle' ? { ...state, status: 'searching' as const } : state;
  return { messages, toPages: (loaded) => toImagePages(current, search, loaded) };
}

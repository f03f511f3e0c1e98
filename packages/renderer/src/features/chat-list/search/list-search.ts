import { createContext, useContext } from 'react';
import type { MessageSearch } from '../../../shared/search/use-message-search.ts';

/** The search at the head of the chat list. It outlasts the list, which narrow windows hide while a chat is open. */
export interface ListSearch extends MessageSearch {
  /** Whether the filters are shown. */
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Returns how far the results were scrolled when they were shown last, in pixels. */
  readonly getScrollTop: () => number;
  readonly keepScrollTop: (scrollTop: number) => void;
}

/** The search at the head of the chat list, provided by `ListSearchProvider`. */
export const ListSearchContext = createContext<ListSearch | undefined>(undefined);

/** Returns the search at the head of the chat list. Must be used inside `ListSearchProvider`. */
export function useListSearch(): ListSearch {
  const search = useContext(ListSearchContext);
  if (!search) throw new Error('useListSearch needs a ListSearchProvider above it');
  return search;
}

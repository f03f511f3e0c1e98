import { useCallback, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { screenPath } from '../../../navigation/paths.ts';
import { useMessageSearch } from '../../../shared/search/use-message-search.ts';
import { ListSearchContext } from './list-search.ts';

/** Keeps the search at the head of the chat list while the list is not shown. */
export function ListSearchProvider({ children }: { children: ReactNode }) {
  const search = useMessageSearch();
  const [isOpen, setOpen] = useState(false);
  const scrollTop = useRef(0);
  const getScrollTop = useCallback(() => scrollTop.current, []);
  const keepScrollTop = useCallback((now: number) => {
    scrollTop.current = now;
  }, []);

  // An unused search must not take room. Not when it loses the focus, as the click would then hit another row.
  const path = screenPath(useLocation().pathname);
  const [shownPath, setShownPath] = useState(path);
  if (path !== shownPath) {
    setShownPath(path);
    if (!search.isActive) setOpen(false);
  }

  return (
    <ListSearchContext value={{ ...search, isOpen, setOpen, getScrollTop, keepScrollTop }}>
      {children}
    </ListSearchContext>
  );
}

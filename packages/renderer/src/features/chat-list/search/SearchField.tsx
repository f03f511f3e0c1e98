import { LIMITS } from '@parley/contract';
import { Search, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterChips } from '../../../shared/search/FilterChips.tsx';
import { useResultAnnouncement } from '../../../shared/search/use-result-announcement.ts';
import { useIsWide } from '../../../shared/screen/use-is-wide.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { useListSearch } from './list-search.ts';
import css from './SearchField.module.css';

interface SearchFieldProps {
  input: RefObject<HTMLInputElement | null>;
  /** Focuses the first result. Does nothing if there is none. */
  onEnterResults: () => void;
  /** Called when the user closes the unused search. Moves the focus to the chats. */
  onClose: () => void;
}

/**
 * The field that searches chats and messages, with its filters. Enter searches immediately and, like the down arrow
 * key, moves to the results; Escape clears the field, and then leaves it. The down arrow key leaves an unused field for
 * the chats, too, as Tab goes through the filters.
 */
export function SearchField({ input, onEnterResults, onClose }: SearchFieldProps) {
  const { t } = useTranslation();
  const found = useListSearch();
  const { text, setText, filters, setFilters, isActive, isOpen, setOpen, search } = found;
  const hasInput = text !== '' || isActive;
  const announcement = useResultAnnouncement(found);

  // In wide windows it stays beside the screens, and going back leads to the one before.
  const isWide = useIsWide();
  const close = (): void => {
    found.clear();
    setOpen(false);
    input.current?.blur();
  };
  useCloseOnBack(!isWide && (isOpen || isActive), close, { isInline: true });

  const leave = (): void => {
    if (hasInput) {
      found.clear();
      input.current?.focus();
      // The chats return beside the open screen.
      if (isWide) setOpen(false);
    } else {
      setOpen(false);
      onClose();
    }
  };

  const handleKeyDown = (event: KeyboardEvent): void => {
    const { target, currentTarget } = event;
    // Keys in the dialog of a filter arrive here, too.
    if (!currentTarget.contains(target as Node)) return;
    const isInField = target === input.current;
    if (event.key === 'Escape') leave();
    else if (isInField && event.key === 'Enter') {
      search.searchNow();
      onEnterResults();
    } else if (isInField && event.key === 'ArrowDown') (hasInput ? onEnterResults : leave)();
    else return;
    event.preventDefault();
  };

  return (
    <search className={css.search} data-open={isOpen || isActive || undefined}>
      <div role="presentation" onKeyDown={handleKeyDown}>
        <div className={css.field}>
          <Search />
          <input
            ref={input}
            className={css.input}
            type="search"
            aria-label={t('search.label')}
            placeholder={t('search.placeholder')}
            maxLength={LIMITS.searchQueryMax}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onFocus={() => setOpen(true)}
            // It keeps the focus when it is cleared.
            onClick={() => setOpen(true)}
          />
          {(hasInput || isOpen) && (
            <IconButton
              className={css.clear}
              label={t(hasInput ? 'search.clear' : 'search.close')}
              icon={<X />}
              onClick={leave}
            />
          )}
        </div>
        {(isOpen || isActive) && <FilterChips filters={filters} onChange={setFilters} />}
      </div>
      <output className="visually-hidden">{announcement}</output>
    </search>
  );
}

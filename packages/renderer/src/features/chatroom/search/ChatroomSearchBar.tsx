import { LIMITS } from '@parley/contract';
import { CalendarDays, ChevronDown, ChevronUp, RotateCw, Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { messagePlainText } from '../../../format/message-plain-text.ts';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { FilterChips } from '../../../shared/search/FilterChips.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import css from './ChatroomSearchBar.module.css';
import type { ChatroomSearch } from './use-chatroom-search.ts';

interface ChatroomSearchBarProps {
  search: ChatroomSearch;
  /** Opens the calendar, which returns the focus to the given button. */
  onOpenCalendar: (opener: RefObject<HTMLElement | null>) => void;
  onClose: () => void;
}

/** The bar to search in a chatroom: the field, the number of the selected result and the buttons to the others. */
export function ChatroomSearchBar({ search, onOpenCalendar, onClose }: ChatroomSearchBarProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLButtonElement>(null);
  const { text, setText, filters, setFilters, state, goOlder, goNewer, hasOthers } = search;
  // Keys may show an only result again, but buttons would seem to do nothing.
  const [older, newer] = hasOthers ? [goOlder, goNewer] : [];
  useEffect(() => {
    const focus = (): void => input.current?.focus();
    focus();
    // A menu that opened the search tries to restore the focus.
    const timer = setTimeout(focus, 50);
    return () => clearTimeout(timer);
  }, []);

  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    (event.shiftKey ? goNewer : goOlder)?.();
  };

  return (
    <search className={css.bar} aria-label={t('roomSearch.title')}>
      <div className={css.row}>
        <div className={css.field}>
          <Search />
          <input
            ref={input}
            className={css.input}
            type="text"
            inputMode="search"
            enterKeyHint="search"
            data-room-search
            aria-label={t('roomSearch.title')}
            placeholder={t('roomSearch.placeholder')}
            autoComplete="off"
            spellCheck={false}
            maxLength={LIMITS.searchQueryMax}
            value={text}
            onChange={({ target: { value } }) => setText(value)}
            onKeyDown={handleKeyDown}
          />
          {state.status === 'searching' && <Spinner />}
        </div>
        <ResultCount search={search} />
        <IconButton
          ref={calendar}
          className={css.calendar}
          label={t('calendar.jump')}
          side="bottom"
          icon={<CalendarDays />}
          onClick={() => onOpenCalendar(calendar)}
        />
        <IconButton
          label={t('roomSearch.older')}
          side="bottom"
          icon={<ChevronUp />}
          aria-disabled={!older || undefined}
          onClick={older}
        />
        <IconButton
          label={t('roomSearch.newer')}
          side="bottom"
          icon={<ChevronDown />}
          aria-disabled={!newer || undefined}
          onClick={newer}
        />
        <IconButton label={t('search.close')} side="bottom" icon={<X />} onClick={onClose} />
      </div>
      <div className={css.filters}>
        <FilterChips filters={filters} onChange={setFilters} />
      </div>
      {state.isOffline && <p className={css.note}>{t('search.offline')}</p>}
      <SearchFailure search={search} />
    </search>
  );
}

/** Why there are no results, or not all of them, and a button to try again. */
function SearchFailure({ search: { state, retry } }: { search: ChatroomSearch }) {
  const { t } = useTranslation();
  const hasFailed = state.status === 'failed';
  if (!hasFailed && state.moreError === undefined) return null;
  return (
    <p className={css.note} role="alert">
      {t(hasFailed ? 'search.failed' : 'search.moreFailed')}
      <Button variant="ghost" icon={<RotateCw />} onClick={retry}>
        {t('app.retry')}
      </Button>
    </p>
  );
}

/** Which result is selected, of how many, and for screen readers its message. */
function ResultCount({ search: { state, selected } }: { search: ChatroomSearch }) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { status, hits, hasMore } = state;
  const message = hits[selected]?.message;
  // If all results were deleted, the next ones are being loaded.
  const isWaiting = status !== 'results' || (hits.length === 0 && hasMore);
  if (isWaiting) return <output className={css.count} />;
  const known = state.total ?? hits.length;
  const hasUnknown = state.total === undefined ? hasMore : known >= LIMITS.searchTotalMax;
  const total = `${known}${hasUnknown ? '+' : ''}`;
  return (
    <output className={css.count}>
      {hits.length === 0
        ? t('roomSearch.none')
        : message
          ? t('roomSearch.place', { current: selected + 1, total })
          : t('roomSearch.found', { count: known })}
      {message && (
        <span className="visually-hidden">
          {` ${message.sender.username}, ${format.when(message.createdAt)}: `}
          {messagePlainText(message, t)}
        </span>
      )}
    </output>
  );
}

import { isBlank, LIMITS } from '@parley/contract';
import { RotateCw, WifiOff } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaViewOf } from '../../format/message-kinds.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import { LoadError } from '../screen/LoadError.tsx';
import css from './results.module.css';
import { hasFilters } from './search-filters.ts';
import { useLoadNearEnd } from './use-load-near-end.ts';
import type { MessageSearch } from './use-message-search.ts';

/** Most searches take less, so that nothing flashes. Milliseconds. */
const LOADING_DELAY = 300;
/** How far below the visible part the end of the results may be until more are loaded. */
const PRELOAD_MARGIN = '400px';

/** Notes that only messages on this device are searched. Shown above the results. */
export function OfflineNote() {
  const { t } = useTranslation();
  return (
    <p className={css.offline}>
      <WifiOff />
      {t('search.offline')}
    </p>
  );
}

interface MessagesStatusProps {
  found: MessageSearch;
  /** Whether there are results besides chats and messages. */
  hasOthers?: boolean;
  /** Contains the results and scrolls. */
  scroller: RefObject<HTMLElement | null>;
}

/** What is shown below the found messages: why there are none, or how to get more. */
export function MessagesStatus({ found, hasOthers = false, scroller }: MessagesStatusProps) {
  const { t } = useTranslation();
  const { messages, search } = found;
  const { status, hits } = messages;
  const isSlow = useDelayed(status === 'searching', LOADING_DELAY);
  switch (status) {
    case 'tooShort':
      return <p className={css.note}>{t('search.tooShort', { count: LIMITS.searchWordMin })}</p>;
    case 'searching':
      if (hits.length > 0 || !isSlow) return null;
      return (
        <div className={css.state}>
          <LoadingText label={t('search.searching')} />
        </div>
      );
    case 'failed':
      return <LoadError title={t('search.failed')} error={messages.error} onRetry={search.retry} />;
    case 'results':
      if (messages.hasMore) return <MoreResults found={found} scroller={scroller} />;
      return hits.length === 0 ? <NothingFound found={found} hasOthers={hasOthers} /> : null;
    default:
      return null;
  }
}

/** Explains that nothing was found, and offers to remove what may be the cause. */
function NothingFound({ found, hasOthers }: Pick<MessagesStatusProps, 'found' | 'hasOthers'>) {
  const { t } = useTranslation();
  const { text, filters, setFilters, chats } = found;
  if (chats.length > 0 || hasOthers) return <p className={css.note}>{t('search.noMessages')}</p>;
  const isFiltered = hasFilters(filters);
  const isMedia = filters.kind !== undefined && mediaViewOf(filters.kind) !== undefined;
  const filterText = isMedia && !isBlank(text) ? 'search.noneMedia' : 'search.noneFiltered';
  return (
    <EmptyState
      mood="curious"
      title={t('search.none')}
      text={t(isFiltered ? filterText : 'search.noneHelp')}
      action={
        isFiltered && (
          <Button variant="secondary" onClick={() => setFilters({})}>
            {t('search.removeFilters')}
          </Button>
        )
      }
    />
  );
}

/** Loads more results when it comes into view, or on request after a failure. */
function MoreResults({ found, scroller }: MessagesStatusProps) {
  const { t } = useTranslation();
  const { messages, search } = found;
  const { isLoadingMore, moreError } = messages;
  const end = useRef<HTMLDivElement>(null);
  const loadMore = () => void search.loadMore();
  useLoadNearEnd({
    end,
    findScroller: () => scroller.current,
    margin: PRELOAD_MARGIN,
    state: messages,
    loadMore,
  });
  return (
    <div ref={end} className={css.more}>
      {isLoadingMore && <LoadingText label={t('search.loadingMore')} />}
      {moreError !== undefined && (
        <>
          <span role="alert">{t('search.moreFailed')}</span>
          <Button variant="secondary" icon={<RotateCw />} onClick={loadMore}>
            {t('app.retry')}
          </Button>
        </>
      )}
    </div>
  );
}

import type { Message } from '@parley/contract';
import { RotateCw, WifiOff } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../../format/use-clock.ts';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { LoadError } from '../../../shared/screen/LoadError.tsx';
import { useLoadNearEnd } from '../../../shared/search/use-load-near-end.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LoadingText } from '../../../ui/LoadingText.tsx';
import css from './GalleryContent.module.css';
import { groupByMonth } from './gallery-items.ts';
import type { Gallery } from './use-gallery.ts';

/** What a tab of the gallery shows, and its texts. */
interface GalleryContentProps<Item> {
  gallery: Gallery;
  /** The items of the messages, newest first. */
  items: readonly Item[];
  messageOf: (item: Item) => Message;
  /** Shows the items of a month. */
  children: (items: readonly Item[]) => ReactNode;
  emptyTitle: string;
  emptyText: string;
}

/** The items of a gallery by month, more of them on scrolling, and its loading, empty and error states. */
export function GalleryContent<Item>(props: GalleryContentProps<Item>) {
  const { gallery, items, messageOf, children, emptyTitle, emptyText } = props;
  const { t } = useTranslation();
  const format = useDateFormat();
  const today = useToday();
  const { status, error, isOffline, hasMore } = gallery.state;
  if (status === 'failed') {
    return <LoadError title={t('gallery.failed')} error={error} onRetry={gallery.retry} />;
  }
  if (status !== 'results') return <LoadingText label={t('gallery.loading')} isFloating />;
  return (
    <>
      {isOffline && (
        <output className={css.note}>
          <WifiOff />
          {t('gallery.offline')}
        </output>
      )}
      {items.length === 0 && !hasMore && <EmptyState title={emptyTitle} text={emptyText} />}
      {groupByMonth(items, (item) => messageOf(item).createdAt, today).map((month) => (
        <section key={month.time} className={css.month}>
          <h2 className={css.heading}>{format.month(month.time)}</h2>
          {children(month.items)}
        </section>
      ))}
      {hasMore && <MoreItems gallery={gallery} />}
    </>
  );
}

/** How far below the visible part the end of the items may be until more are loaded. */
const PRELOAD_MARGIN = '800px';

/** Loads the next page when the user scrolls near it. */
function MoreItems({ gallery: { state, loadMore } }: { gallery: Gallery }) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  useLoadNearEnd({
    end: element,
    findScroller: () => element.current?.closest('main') ?? null,
    margin: PRELOAD_MARGIN,
    state,
    loadMore,
  });
  return (
    <div ref={element} className={css.more}>
      {state.moreError !== undefined ? (
        <>
          <p role="alert">{t('gallery.moreFailed')}</p>
          <Button variant="secondary" icon={<RotateCw />} onClick={loadMore}>
            {t('app.retry')}
          </Button>
        </>
      ) : (
        <LoadingText label={t('gallery.loading')} />
      )}
    </div>
  );
}

import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClientState } from '../../../client/client-context.ts';
import { useToday } from '../../../format/use-clock.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { chatPath, messagePath } from '../../../navigation/paths.ts';
import { FoundChat } from '../../../shared/search/FoundChat.tsx';
import { FoundMessage } from '../../../shared/search/FoundMessage.tsx';
import { MessagesStatus, OfflineNote } from '../../../shared/search/MessagesStatus.tsx';
import { classNames } from '../../../ui/class-names.ts';
import list from '../list.module.css';
import { useListSearch, type ListSearch } from './list-search.ts';
import css from './SearchResults.module.css';
import { useResultFocus } from './use-result-focus.ts';

/** Number of chats that are shown above messages at first. */
const CHATS_SHOWN = 5;

interface SearchResultsProps {
  scroller: RefObject<HTMLDivElement | null>;
  /** Called when the focus leaves the results upwards, or when the user presses Escape. */
  onLeave: () => void;
}

/** The chats and messages that were found. The arrow keys, Home and End move between them. */
export function SearchResults({ scroller, onLeave }: SearchResultsProps) {
  const { t } = useTranslation();
  const found = useListSearch();
  const { chats, messages } = found;
  const { hits, conditions, status, isOffline } = messages;
  const listed = useClientState('chats', (state) => state.chats);
  const language = useLanguage();
  const today = useToday();
  const [showsAllChats, setShowsAllChats] = useState(false);
  const shownChats = showsAllChats ? chats : chats.slice(0, CHATS_SHOWN);
  const keys = [...shownChats.map(({ id }) => id), ...hits.map(({ message }) => message._id)];
  const focus = useResultFocus(scroller, keys, onLeave);
  useKeptScroll(scroller, found, conditions);

  const heading = classNames(list.heading, css.heading);
  const rowProps = (key: string) => ({
    'data-result': key,
    tabIndex: key === focus.tabStop ? 0 : -1,
  });

  return (
    // The arrow keys, Home, End and Escape move the focus.
    <div
      ref={scroller}
      className={classNames(list.scroller, css.scroller)}
      role="presentation"
      {...focus.handlers}
    >
      <section aria-label={t('search.results')} aria-busy={status === 'searching'}>
        {isOffline && <OfflineNote />}
        {chats.length > 0 && (
          <>
            <h2 className={heading}>{t('search.chats')}</h2>
            <ul>
              {shownChats.map((chat) => (
                <li key={chat.id}>
                  <Link className={css.row} to={chatPath(chat.id)} {...rowProps(chat.id)}>
                    <FoundChat chat={chat} />
                  </Link>
                </li>
              ))}
            </ul>
            {shownChats.length < chats.length && (
              <button type="button" className={list.more} onClick={() => setShowsAllChats(true)}>
                {t('search.showAllChats', { count: chats.length })}
              </button>
            )}
          </>
        )}
        {hits.length > 0 && <h2 className={heading}>{t('search.messages')}</h2>}
        <ul>
          {hits.map((hit) => {
            const { _id: key, chatroom, seq } = hit.message;
            return (
              <li key={key} className={css.item}>
                <Link
                  className={classNames(css.row, css.message)}
                  to={messagePath(chatroom, seq)}
                  {...rowProps(key)}
                >
                  <FoundMessage
                    hit={hit}
                    conditions={conditions}
                    chat={listed.find(({ id }) => id === chatroom)}
                    language={language}
                    today={today}
                  />
                </Link>
              </li>
            );
          })}
        </ul>
        <MessagesStatus found={found} scroller={scroller} />
      </section>
    </div>
  );
}

/** Scrolls to where the results were when they were shown last, and to the top for new conditions. */
function useKeptScroll(
  scroller: RefObject<HTMLElement | null>,
  { getScrollTop, keepScrollTop }: Pick<ListSearch, 'getScrollTop' | 'keepScrollTop'>,
  conditions: object,
): void {
  const shown = useRef<object>(undefined);
  useLayoutEffect(() => {
    if (shown.current !== undefined && shown.current !== conditions) keepScrollTop(0);
    shown.current = conditions;
    scroller.current?.scrollTo({ top: getScrollTop() });
  }, [scroller, getScrollTop, keepScrollTop, conditions]);
  useEffect(() => {
    const element = scroller.current;
    const keep = (): void => keepScrollTop(element?.scrollTop ?? 0);
    element?.addEventListener('scroll', keep, { passive: true });
    return () => element?.removeEventListener('scroll', keep);
  }, [scroller, keepScrollTop]);
}

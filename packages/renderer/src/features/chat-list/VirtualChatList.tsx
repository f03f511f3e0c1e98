import type { ListedChat } from '@parley/client';
import { UI } from '@parley/contract';
import { Archive, ChevronDown, MessageCircleQuestionMark } from 'lucide-react';
import {
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { matchPath, useLocation } from 'react-router-dom';
import { Virtualizer } from 'virtua';
import { useToday } from '../../format/use-clock.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { chatroomIdOfPath, PATHS } from '../../navigation/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import chatRow from './ChatRow.module.css';
import { ChatRow } from './ChatRow.tsx';
import { buildListRows, type ListRow, type OpenSections } from './list-rows.ts';
import { LazyListGestures } from './lazy-gestures.ts';
import list from './list.module.css';
import { useChatMenu } from './use-chat-menu.tsx';
import css from './VirtualChatList.module.css';
import { isModified } from '../../shared/keyboard/key-press.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Scrolls the list to its top when the user navigates to it, except from a chatroom. */
function useScrollToTopOnNavigation(scroller: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const lastPath = useRef<string>(undefined);
  useLayoutEffect(() => {
    const shouldScroll =
      lastPath.current === undefined ||
      (matchPath(PATHS.chats, pathname) !== null &&
        chatroomIdOfPath(lastPath.current) === undefined);
    lastPath.current = pathname;
    if (shouldScroll) scroller.current?.scrollTo({ top: 0 });
  }, [pathname, scroller]);
}

/**
 * Focuses another chat if the focused row disappears, as when the user deletes a request on another device.
 * Returns the handlers that observe the focus.
 */
function useFocusAfterRemoval(scroller: RefObject<HTMLElement | null>) {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    // React reports no blur if it removes the focused element.
    if (!hasFocus.current || document.activeElement !== document.body) return;
    scroller.current?.querySelector<HTMLElement>('[data-chat][tabindex="0"]')?.focus();
  });
  return {
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
}

function findChatroomId(target: EventTarget): string | undefined {
  const row = target instanceof Element ? target.closest('[data-chat]') : null;
  return row?.getAttribute('data-chat') ?? undefined;
}

/**
 * The virtualized list of chats, with quiet requests in a section above them and archived chats in one below. Both are
 * closed at first.
 */
export function VirtualChatList({ chats }: { chats: readonly ListedChat[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery(`(min-width: ${UI.widePreviewBreakpoint}px)`);
  const today = useToday();
  const language = useLanguage();
  const active = chatroomIdOfPath(useLocation().pathname);

  const [focused, setFocused] = useState<string>();
  const [open, setOpen] = useState<OpenSections>({ requests: false, archive: false });
  const rows = useMemo(() => buildListRows(chats, open), [chats, open]);
  const { openByKey, toggle: toggleMenu, close: closeMenu, menu } = useChatMenu(scroller, chats);

  useScrollToTopOnNavigation(scroller);
  const removal = useFocusAfterRemoval(scroller);

  // Roving tab index: Tab reaches only one chat, so that leaving the list does not take a thousand key presses.
  const indexOf = (id: string | undefined) => rows.findIndex(({ key }) => key === id);
  const firstChat = rows.findIndex(({ type }) => type === 'chat');
  const tabStop = [indexOf(focused), indexOf(active)].find((index) => index >= 0) ?? firstChat;
  const kept = [tabStop, indexOf('requests'), indexOf('archive')].filter((index) => index >= 0);

  const moveToEnd = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isModified(event)) return;
    const isHome = event.key === 'Home';
    if (!isHome && event.key !== 'End') return;
    const isChat = ({ type }: ListRow): boolean => type === 'chat';
    const target = isHome ? rows.find(isChat) : rows.findLast(isChat);
    if (target === undefined) return;
    event.preventDefault();
    // The row is in the document once it is the tab stop.
    flushSync(() => setFocused(target.key));
    scroller.current?.querySelector<HTMLElement>(`[data-chat="${target.key}"]`)?.focus();
  };

  const moveFocus = useCallback((event: KeyboardEvent<HTMLDivElement>) => {
    if (isModified(event)) return;
    const step = STEPS[event.key];
    const item = document.activeElement?.closest('li');
    if (step === undefined || !item) return;
    const control = findNextControl(item, step);
    if (!control) return;
    event.preventDefault();
    control.focus();
  }, []);

  return (
    // The arrow keys, Home and End move the focus between chats.
    <div
      ref={scroller}
      className={classNames(list.scroller, chatRow.list, css.scroller)}
      role="presentation"
      onKeyDown={(event) => {
        moveFocus(event);
        openByKey(event);
        moveToEnd(event);
      }}
      onFocus={({ target }) => {
        removal.onFocus();
        setFocused(findChatroomId(target));
      }}
      onBlur={removal.onBlur}
    >
      <Virtualizer
        as="ul"
        item="li"
        data={rows}
        itemSize={isWide ? 80 : 72}
        bufferSize={400}
        keepMounted={kept}
      >
        {(row, index) =>
          row.type === 'chat' ? (
            <ChatRow
              key={row.key}
              chat={row.chat}
              isActive={row.key === active}
              isTabStop={index === tabStop}
              isWide={isWide}
              language={language}
              today={today}
              onMenu={toggleMenu}
            />
          ) : (
            <SectionRow
              key={row.key}
              row={row}
              isOpen={open[row.type]}
              onToggle={() => setOpen((now) => ({ ...now, [row.type]: !now[row.type] }))}
            />
          )
        }
      </Virtualizer>
      {menu}
      <Suspense>
        <LazyListGestures scroller={scroller} chats={chats} onLift={closeMenu} />
      </Suspense>
    </div>
  );
}

interface SectionRowProps {
  row: Exclude<ListRow, { type: 'chat' }>;
  isOpen: boolean;
  onToggle: () => void;
}

/** The button that shows or hides the quiet requests or the archived chats. */
function SectionRow({ row, isOpen, onToggle }: SectionRowProps) {
  const { t } = useTranslation();
  const isRequests = row.type === 'requests';
  const { total: count, unread } = row;
  return (
    <button
      type="button"
      className={classNames(chatRow.row, css.section)}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <span className={chatRow.avatar}>
        <span className={css.icon}>{isRequests ? <MessageCircleQuestionMark /> : <Archive />}</span>
      </span>
      <span className={classNames(chatRow.rest, css.label)}>
        <span className={css.text} data-unread={(isRequests && unread > 0) || undefined}>
          {isRequests ? t('requests.total', { count }) : t('chatList.archived', { count })}
        </span>
        <Badge
          count={unread}
          label={t(isRequests ? 'requests.unread' : 'chatList.archivedUnread', { count: unread })}
          isQuiet
        />
        <ChevronDown className={css.chevron} />
      </span>
    </button>
  );
}

/** Returns the link or button of the next row that has one. */
function findNextControl(item: Element, step: number): HTMLElement | undefined {
  let next: Element | null = item;
  do {
    next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
    const control = next?.querySelector<HTMLElement>('a, button');
    if (control) return control;
  } while (next);
  return undefined;
}

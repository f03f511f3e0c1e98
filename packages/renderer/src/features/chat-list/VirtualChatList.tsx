import type { Chat } from '@parley/client';
import { UI } from '@parley/contract';
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { matchPath, useLocation, useMatch } from 'react-router-dom';
import { Virtualizer } from 'virtua';
import { useToday } from '../../format/use-today.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { PATHS } from '../../routes/paths.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import css from './VirtualChatList.module.css';
import { ChatRow } from './ChatRow.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns whether a path belongs to a chatroom. */
function isChatroom(path: string): boolean {
  return matchPath(PATHS.chatroom, path) !== null;
}

/** Scrolls the list to its top when the user navigates to it, except from a chatroom. */
function useScrollToTopOnNavigation(scroller: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const lastPath = useRef<string>(undefined);
  useLayoutEffect(() => {
    const shouldScroll =
      lastPath.current === undefined ||
      (matchPath(PATHS.chats, pathname) !== null && !isChatroom(lastPath.current));
    lastPath.current = pathname;
    if (shouldScroll) scroller.current?.scrollTo({ top: 0 });
  }, [pathname, scroller]);
}

function findChatroomId(target: EventTarget): string | undefined {
  const row = target instanceof Element ? target.closest('[data-chat]') : null;
  return row?.getAttribute('data-chat') ?? undefined;
}

/** The virtualized list of chats. */
export function VirtualChatList({ chats }: { chats: readonly Chat[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery(`(min-width: ${UI.widePreviewBreakpoint}px)`);
  const today = useToday();
  const language = useLanguage();
  const active = useMatch(PATHS.chatroom)?.params.id;

  const [focused, setFocused] = useState<string>();

  useScrollToTopOnNavigation(scroller);

  // Roving tab index: Tab reaches only one chat, so that leaving the list does not take a thousand key presses.
  const indexOf = (id: string | undefined) => chats.findIndex((chat) => chat.id === id);
  const tabStop = [indexOf(focused), indexOf(active), 0].find((index) => index >= 0) ?? 0;

  const moveFocus = useCallback((event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS[event.key];
    const item = document.activeElement?.closest('li');
    if (step === undefined || !item) return;
    const next = step > 0 ? item.nextElementSibling : item.previousElementSibling;
    const link = next?.querySelector('a');
    if (!link) return;
    event.preventDefault();
    link.focus();
  }, []);

  return (
    // The arrow keys move the focus between chats.
    <div
      ref={scroller}
      className={css.scroller}
      role="presentation"
      onKeyDown={moveFocus}
      onFocus={({ target }) => setFocused(findChatroomId(target))}
    >
      <Virtualizer
        as="ul"
        item="li"
        data={chats}
        itemSize={72}
        bufferSize={400}
        keepMounted={[tabStop]}
      >
        {(chat, index) => (
          <ChatRow
            key={chat.id}
            chat={chat}
            isActive={chat.id === active}
            isTabStop={index === tabStop}
            isWide={isWide}
            language={language}
            today={today}
          />
        )}
      </Virtualizer>
    </div>
  );
}

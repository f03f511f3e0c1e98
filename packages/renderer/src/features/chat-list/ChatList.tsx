import { UI } from '@parley/contract';
import { useCallback, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { useMatch } from 'react-router-dom';
import { Virtualizer } from 'virtua';
import { useToday } from '../../format/use-today.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { PATHS } from '../../routes/paths.ts';
import type { Chat } from '../../stores/chat-list.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import css from './ChatList.module.css';
import { ChatRow } from './ChatRow.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The chats, only those in sight in the document. It starts at the top whenever it appears. */
export function ChatList({ chats }: { chats: readonly Chat[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery(`(min-width: ${UI.widePreviewBreakpoint}px)`);
  const today = useToday();
  const language = useLanguage();
  const active = useMatch(PATHS.chatroom)?.params.id;

  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, []);

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
    // The arrow keys move between the links, which are reached by Tab as well.
    <div ref={scroller} className={css.scroller} role="presentation" onKeyDown={moveFocus}>
      <Virtualizer as="ul" item="li" data={chats} itemSize={72} bufferSize={400}>
        {(chat) => (
          <ChatRow
            key={chat.id}
            chat={chat}
            isActive={chat.id === active}
            isWide={isWide}
            language={language}
            today={today}
          />
        )}
      </Virtualizer>
    </div>
  );
}

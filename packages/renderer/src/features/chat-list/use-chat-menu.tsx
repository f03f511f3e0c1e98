import type { ListedChat } from '@parley/client';
import {
  Suspense,
  useCallback,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ContextMenu } from '../../ui/ContextMenu.tsx';
import { areaAnchor, type MenuAnchor } from '../../ui/menu-anchor.ts';
import { useMenuGestures, type MenuGesture } from '../../ui/use-menu-gestures.ts';
import { ChatMenuItems } from './ChatMenuItems.tsx';
import { LazyDeleteChatDialog } from './lazy-gestures.ts';
import { isModified } from '../../shared/keyboard/key-press.ts';

/** A menu and the chat that it belongs to. It stays rendered while it fades out. */
interface OpenedMenu {
  isOpen: boolean;
  chatroomId: string;
  anchor: MenuAnchor;
  gesture: MenuGesture;
  /** The button that opened it, if any. */
  button: HTMLElement | undefined;
}

interface ChatMenuState {
  /** Opens the menu of the focused chat if the key does that. */
  openByKey: (event: KeyboardEvent<HTMLElement>) => void;
  /** Opens or closes the menu of the chat whose button is clicked. */
  toggle: (event: MouseEvent<HTMLElement>) => void;
  close: () => void;
  menu: ReactNode;
}

/** Links of chats have the menu, too. */
const EXCLUDED = 'input, textarea';

/**
 * Manages the menu of the chats in a list, which opens with a right click, a long press, the context menu key, the
 * right arrow key or a button. Requests have no menu.
 * @param scroller contains the list
 */
export function useChatMenu(
  scroller: RefObject<HTMLElement | null>,
  chats: readonly ListedChat[],
): ChatMenuState {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<OpenedMenu>();
  /** The chat whose deletion is to be confirmed. */
  const [deleted, setDeleted] = useState<ListedChat>();
  const find = (id: string): ListedChat | undefined =>
    chats.find((chat) => chat.id === id && chat.status !== 'request');

  const open = (area: HTMLElement, anchor: MenuAnchor, gesture: MenuGesture): void => {
    const chatroomId = area.getAttribute('data-chat') ?? '';
    setOpened({ isOpen: true, chatroomId, anchor, gesture, button: undefined });
  };
  const findArea = (target: Element): HTMLElement | undefined => {
    const area = target.closest<HTMLElement>('[data-chat]');
    return area && find(area.getAttribute('data-chat') ?? '') ? area : undefined;
  };
  useMenuGestures(scroller, { find: findArea, onOpen: open, excluded: EXCLUDED });

  const toggle = useCallback(({ currentTarget: button, detail }: MouseEvent<HTMLElement>): void => {
    const chatroomId = button.getAttribute('data-menu-of') ?? '';
    const gesture = detail === 0 ? 'keyboard' : 'mouse';
    setOpened((now) =>
      now?.isOpen && now.button === button
        ? { ...now, isOpen: false }
        : { isOpen: true, chatroomId, anchor: areaAnchor(button), gesture, button },
    );
  }, []);

  const close = (): void => setOpened((now) => now && { ...now, isOpen: false });

  // The row may be elsewhere by then, or gone, as after archiving.
  const findRow = (): HTMLElement | false => {
    const row = `[data-chat="${CSS.escape(opened?.chatroomId ?? '')}"]`;
    const list = scroller.current;
    return (
      list?.querySelector<HTMLElement>(row) ??
      list?.querySelector<HTMLElement>('[data-chat][tabindex="0"]') ??
      false
    );
  };

  const chat = opened && find(opened.chatroomId);
  return {
    openByKey: (event) => {
      if (event.key !== 'ArrowRight' || isModified(event)) return;
      if (!(event.target instanceof Element)) return;
      const area = findArea(event.target);
      if (!area) return;
      event.preventDefault();
      open(area, areaAnchor(area), 'keyboard');
    },
    toggle,
    close,
    menu: opened && (
      <>
        <ContextMenu
          isOpen={opened.isOpen && chat !== undefined}
          onClose={close}
          anchor={opened.anchor}
          align={opened.gesture === 'mouse' && !opened.button ? 'start' : 'end'}
          gesture={opened.gesture}
          button={opened.button}
          label={t('chatMenu.label')}
          finalFocus={findRow}
        >
          {chat && <ChatMenuItems chat={chat} onDelete={() => setDeleted(chat)} />}
        </ContextMenu>
        {deleted && (
          <Suspense>
            <LazyDeleteChatDialog
              chat={deleted}
              opener={scroller}
              onClose={() => setDeleted(undefined)}
            />
          </Suspense>
        )}
      </>
    ),
  };
}

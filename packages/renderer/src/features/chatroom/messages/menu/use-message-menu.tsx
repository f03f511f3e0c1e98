import type { Message } from '@parley/contract';
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useSettings } from '../../../../app/app-context.ts';
import { isModified } from '../../../../shared/keyboard/key-press.ts';
import { areaAnchor, type MenuAnchor } from '../../../../ui/menu-anchor.ts';
import { useMenuGestures, type MenuGesture } from '../../../../ui/use-menu-gestures.ts';
import { useChatroomMode } from '../../chatroom-mode.ts';
import { ForwardDialog } from '../forward/ForwardDialog.tsx';
import { findOwnEmoji } from '../reactions/own-emoji.ts';
import { ReactionBar } from '../reactions/ReactionBar.tsx';
import { ReactionPicker } from '../reactions/ReactionPicker.tsx';
import { useReact } from '../reactions/use-react.ts';
import { isReachedByKeys } from '../../../../shared/keyboard/key-context.ts';
import type { RowSelecting } from '../../selection/use-row-selection.ts';
import type { TimelineRow } from '../timeline.ts';
import { DeleteMessageDialog } from './DeleteMessageDialog.tsx';
import type { MessageControls } from './message-controls.ts';
import {
  buildMessageMenuEntries,
  MESSAGE_LETTERS,
  type MessageLetter,
} from './message-menu-entries.ts';
import { MessageDetails } from './MessageDetails.tsx';
import { MessageMenu } from './MessageMenu.tsx';
import { useFindSubject } from './use-find-subject.ts';
import { useMessageMenuActions, type OpenedDialog } from './use-message-menu-actions.ts';

/** A menu and the message that it belongs to. It stays rendered while it fades out. */
interface OpenedMenu {
  isOpen: boolean;
  /** The key of the message's row. */
  key: string;
  anchor: MenuAnchor;
  align: 'start' | 'end';
  gesture: MenuGesture;
  /** The button that opened it, if any. */
  button: HTMLElement | undefined;
}

interface Opening extends Pick<OpenedMenu, 'anchor' | 'gesture'> {
  area: HTMLElement;
  button?: HTMLElement;
}

/** The menu of the messages in a list, and what it does. */
export interface MessageMenuState {
  /** The key of the row whose menu is open. */
  openKey: string | undefined;
  /** The key of the row that the user has pressed for long. */
  liftedKey: string | undefined;
  controls: MessageControls;
  /** Starts a reply to a message, and moves the focus to the text box. */
  reply: (message: Message) => void;
  /** Handles the shortcuts of the focused message: single letters and the right arrow. */
  handleLetter: (event: KeyboardEvent<HTMLElement>) => void;
  /** The menu and the dialogs that it opens. */
  menu: ReactNode;
}

/**
 * Manages the menu of the messages in a list, which opens with a right click, a long press, the context menu key
 * or a button, unless the user selects messages.
 * @param frame contains the messages
 */
export function useMessageMenu(
  frame: RefObject<HTMLElement | null>,
  rows: readonly TimelineRow[],
  jump: MessageControls['jump'],
  selecting: Pick<RowSelecting, 'isActive' | 'start'>,
): MessageMenuState {
  const [opened, setOpened] = useState<OpenedMenu>();
  const [dialog, setDialog] = useState<OpenedDialog>();
  // The element to focus after the menu or the dialog that it opened.
  const opener = useRef<HTMLElement>(null);
  const isFocusMoved = useRef(false);
  const findSubject = useFindSubject(rows);

  const open = useCallback((opening: Opening): void => {
    const { area, button } = opening;
    opener.current = button ?? focusedElement() ?? area.closest('article');
    isFocusMoved.current = false;
    setOpened((now) => (isSameButton(now, button) ? closed(now) : toMenu(opening)));
  }, []);
  const close = useCallback(() => setOpened(closed), []);
  useMenuGestures(frame, {
    find: (target, gesture) => (selecting.isActive ? undefined : findBubble(target, gesture)),
    onOpen: (area, anchor, gesture) => open({ area, anchor, gesture }),
  });

  const shown = opened && findSubject(opened.key);
  const isOpen = opened?.isOpen === true && shown !== undefined;
  const controls = useMemo<MessageControls>(
    () => ({
      jump,
      toggleMenu: ({ currentTarget: button, detail }) => {
        const gesture = detail === 0 ? 'keyboard' : 'mouse';
        open({ area: button, anchor: areaAnchor(button), gesture, button });
      },
      confirmDelete: (deleted, button) => {
        opener.current = button;
        setDialog({ type: 'delete', messages: deleted });
      },
    }),
    [open, jump],
  );

  const focusNext = (element: HTMLElement): void => {
    opener.current = element;
  };
  const select = (key: string): void => {
    // The text box, which may have had the focus, disappears.
    const row = selecting.start(key);
    if (row) focusNext(row);
  };
  const menuActions = useMessageMenuActions(frame, setDialog, select, focusNext);
  const actions = menuActions(opened?.key ?? '');
  const actionsFor = useMessageMenuActions(frame, setDialog, selecting.start, (box) => box.focus());
  const hasLetterShortcuts = useSettings((state) => state.hasLetterShortcuts);
  const handleLetter = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    const letter = letterOf(event, hasLetterShortcuts);
    if (letter === undefined || !(target instanceof HTMLElement) || !isReachedByKeys(target))
      return;
    // Letters that do nothing with this message are not written into the text box either.
    event.preventDefault();
    const key = findBubble(target, 'keyboard')?.closest<HTMLElement>('[data-key]')?.dataset['key'];
    const subject = key === undefined ? undefined : findSubject(key);
    if (event.repeat || key === undefined || !subject) return;
    opener.current = target;
    buildMessageMenuEntries(subject, actionsFor(key))
      .find((entry) => entry.letter === letter)
      ?.onSelect?.();
  };
  const { canReact } = useChatroomMode();
  const { react, username } = useReact();
  const detailed = dialog?.type === 'details' ? findSubject(dialog.key) : undefined;
  const reacted = dialog?.type === 'reaction' ? findSubject(dialog.key)?.message : undefined;
  const forwarded = dialog?.type === 'forward' ? findSubject(dialog.key)?.message : undefined;
  const closeDialog = (): void => setDialog(undefined);
  return {
    openKey: isOpen ? opened.key : undefined,
    liftedKey: isOpen && opened.gesture === 'touch' ? opened.key : undefined,
    controls,
    reply: (message) => actionsFor('').reply(message),
    handleLetter,
    menu: (
      <>
        {opened && (
          <MessageMenu
            isOpen={isOpen}
            onClose={close}
            anchor={opened.anchor}
            align={opened.align}
            gesture={opened.gesture}
            button={opened.button}
            reactions={
              shown?.message &&
              canReact && (
                <ReactionBar
                  message={shown.message}
                  username={username}
                  onReact={(emoji, isOn) => shown.message && react(shown.message, emoji, isOn)}
                  onMore={() => {
                    isFocusMoved.current = true;
                    setDialog({ type: 'reaction', key: opened.key });
                  }}
                />
              )
            }
            entries={shown ? buildMessageMenuEntries(shown, actions) : []}
            onSelect={({ movesFocus, onSelect }) => {
              isFocusMoved.current = movesFocus === true;
              onSelect?.();
            }}
            finalFocus={() => !isFocusMoved.current && (opener.current ?? false)}
          />
        )}
        {detailed && (
          <MessageDetails subject={detailed} finalFocus={opener} onClose={closeDialog} />
        )}
        {reacted && canReact && (
          <ReactionPicker
            anchor={() => findMessage(frame, reacted)}
            finalFocus={opener}
            onPick={(emoji) => react(reacted, emoji, !findOwnEmoji(reacted, username).has(emoji))}
            onClose={closeDialog}
          />
        )}
        {forwarded && (
          <ForwardDialog messages={[forwarded]} finalFocus={opener} onClose={closeDialog} />
        )}
        {dialog?.type === 'delete' && (
          <DeleteMessageDialog
            messages={dialog.messages}
            frame={frame}
            finalFocus={opener}
            onClose={closeDialog}
          />
        )}
      </>
    ),
  };
}

function findMessage(frame: RefObject<HTMLElement | null>, { _id }: Message): Element | null {
  return frame.current?.querySelector(`[data-message="${CSS.escape(_id)}"]`) ?? null;
}

function toMenu({ area, anchor, gesture, button }: Opening): OpenedMenu {
  const key = area.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? '';
  const isOwn = area.closest('[data-own]') !== null;
  const align = isOwn && gesture !== 'mouse' ? 'end' : 'start';
  return { isOpen: true, key, anchor, align, gesture, button };
}

function closed(menu: OpenedMenu | undefined): OpenedMenu | undefined {
  return menu && { ...menu, isOpen: false };
}

/** Returns whether a button has opened the menu, so that it closes it. */
function isSameButton(menu: OpenedMenu | undefined, button: HTMLElement | undefined): boolean {
  return menu?.isOpen === true && button !== undefined && menu.button === button;
}

function findBubble(target: Element, gesture: MenuGesture): HTMLElement | null | undefined {
  const bubble = target.closest<HTMLElement>('[data-message]');
  // Keys are pressed on the focused element, which may be the whole message.
  return gesture === 'keyboard' && !bubble
    ? target.closest('article')?.querySelector<HTMLElement>('[data-message]')
    : bubble;
}

/** Returns the letter of the entry that a key selects. The right arrow replies, as a swipe to the right does. */
function letterOf(event: KeyboardEvent, hasLetters: boolean): MessageLetter | undefined {
  if (isModified(event)) return undefined;
  if (event.key === 'ArrowRight') return 'r';
  const letter = event.key.toLowerCase();
  return hasLetters ? MESSAGE_LETTERS.find((each) => each === letter) : undefined;
}

function focusedElement(): HTMLElement | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && focused !== document.body ? focused : undefined;
}

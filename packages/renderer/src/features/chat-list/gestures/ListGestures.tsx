import type { ListedChat } from '@parley/client';
import { Archive, ArchiveRestore, Mail, MailOpen } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useLoadScreenTexts } from '../../../i18n/use-language.ts';
import { isUnreadChat, toggleArchive, toggleMark } from '../toggle-chat.ts';
import { listenToPinDrag } from './drag-pins.ts';
import css from './ListGestures.module.css';
import { listPinned, movePinned, onPinMoved, stepPinned, type PinMove } from './pin-moves.ts';
import { listenToRowSwipe, type ShownSwipe, type SwipeDirection } from './swipe-rows.ts';

interface ListGesturesProps {
  /** Contains the rows, and this. */
  scroller: RefObject<HTMLElement | null>;
  chats: readonly ListedChat[];
  /** Called when a chat begins to follow the pointer, which closes its menu. */
  onLift: () => void;
}

/**
 * Lets the user move pinned chats with the mouse, a finger or Alt+Shift and the arrow keys, and swipe rows: to the left to
 * archive a chat, to the right to mark it as read or unread. Shows what a swipe does, and tells screen readers of moves.
 */
export default function ListGestures({ scroller, chats, onLift }: ListGesturesProps) {
  const { t } = useTranslation();
  const client = useClient();
  const loadScreenTexts = useLoadScreenTexts();
  const [swipe, setSwipe] = useState<ShownSwipe>();

  // Without them, the moves work but are not announced.
  useEffect(() => {
    loadScreenTexts('list').catch(() => undefined);
  }, [loadScreenTexts]);

  const find = (id: string): ListedChat | undefined => chats.find((chat) => chat.id === id);
  const getPinned = useEffectEvent(() => listPinned(chats).map(({ id }) => id));
  const lift = useEffectEvent(onLift);
  const drop = useEffectEvent((id: string, place: number) => movePinned(client, id, place));
  const canSwipe = useEffectEvent((id: string) => {
    const chat = find(id);
    return chat !== undefined && chat.status !== 'request';
  });
  const act = useEffectEvent((id: string, direction: SwipeDirection) => {
    const chat = find(id);
    if (!chat) return;
    if (direction === 'left') toggleArchive(client, t, chat);
    else toggleMark(client, chat);
  });
  const moveByKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, shiftKey, ctrlKey, metaKey, target } = event;
    const isMove = (key === 'ArrowUp' || key === 'ArrowDown') && altKey && shiftKey;
    if (!isMove || ctrlKey || metaKey || !(target instanceof Element)) return;
    const id = target.closest('[data-chat]')?.getAttribute('data-chat');
    if (id === null || id === undefined || find(id)?.isPinned !== true) return;
    event.preventDefault();
    stepPinned(client, id, key === 'ArrowUp' ? -1 : 1);
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    listenToPinDrag(element, signal, {
      getPinned: () => getPinned(),
      onLift: () => lift(),
      onDrop: (id, place) => drop(id, place),
    });
    listenToRowSwipe(element, signal, {
      canSwipe: (id) => canSwipe(id),
      onShow: setSwipe,
      onAct: (id, direction) => act(id, direction),
    });
    element.addEventListener('keydown', (event) => moveByKey(event), { signal });
    return () => stop.abort();
  }, [scroller]);

  const swiped = swipe && find(swipe.id);
  return (
    <>
      {swipe && swiped && <SwipeAction swipe={swipe} chat={swiped} />}
      <MoveAnnouncement />
    </>
  );
}

/** The icon of what happens when the user releases the row. Screen readers have the menu. */
function SwipeAction({ swipe, chat }: { swipe: ShownSwipe; chat: ListedChat }) {
  const { direction, top, height, width, isReady } = swipe;
  const [Archiving, Marking] = [
    chat.isArchived ? ArchiveRestore : Archive,
    isUnreadChat(chat) ? MailOpen : Mail,
  ];
  return (
    <span
      className={css.action}
      style={{ top, height, width }}
      data-direction={direction}
      data-ready={isReady}
      aria-hidden="true"
    >
      {direction === 'left' ? <Archiving /> : <Marking />}
    </span>
  );
}

function MoveAnnouncement() {
  const { t, i18n } = useTranslation();
  const [move, setMove] = useState<PinMove>();
  useEffect(() => onPinMoved(setMove), []);
  const isKnown = move !== undefined && i18n.exists('pins.moved');
  return (
    <output className="visually-hidden" data-pin-moves>
      {isKnown &&
        t('pins.moved', {
          name: move.chat.names.join(', '),
          position: move.position,
          count: move.count,
        })}
    </output>
  );
}

import type { ListedChat } from '@parley/client';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useLoadScreenTexts } from '../../../i18n/use-language.ts';
import { listenToPinDrag } from './drag-pins.ts';
import { listPinned, movePinned, onPinMoved, stepPinned, type PinMove } from './pin-moves.ts';

interface ListGesturesProps {
  /** Contains the rows, and this. */
  scroller: RefObject<HTMLElement | null>;
  chats: readonly ListedChat[];
  /** Called when a chat begins to follow the pointer, which closes its menu. */
  onLift: () => void;
}

/**
 * Lets the user move pinned chats with the mouse, a finger or Alt+Shift and the arrow keys, and tells screen readers of
 * moves.
 */
export default function ListGestures({ scroller, chats, onLift }: ListGesturesProps) {
  const client = useClient();
  const loadScreenTexts = useLoadScreenTexts();

  // Without them, the moves work but are not announced.
  useEffect(() => {
    loadScreenTexts('list').catch(() => undefined);
  }, [loadScreenTexts]);

  const find = (id: string): ListedChat | undefined => chats.find((chat) => chat.id === id);
  const getPinned = useEffectEvent(() => listPinned(chats).map(({ id }) => id));
  const lift = useEffectEvent(onLift);
  const drop = useEffectEvent((id: string, place: number) => movePinned(client, id, place));
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
    element.addEventListener('keydown', (event) => moveByKey(event), { signal });
    return () => stop.abort();
  }, [scroller]);

  return <MoveAnnouncement />;
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

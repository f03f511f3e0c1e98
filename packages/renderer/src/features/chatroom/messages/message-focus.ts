import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus between messages with the arrow keys. Ignores keys pressed inside a message. */
export function moveMessageFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const { target } = event;
  if (step === undefined || !(target instanceof HTMLElement) || target.tagName !== 'ARTICLE')
    return;
  const item = target.closest('li');
  const next = step > 0 ? item?.nextElementSibling : item?.previousElementSibling;
  const article = next?.querySelector('article');
  if (!article) return;
  event.preventDefault();
  article.focus();
}

/**
 * Prepares moving the focus when a message is removed. Call it with the bubble or the album's tile of the message
 * before the removal, and the returned function afterwards. It focuses the adjacent image of the album, the rest
 * of the album or the adjacent message, or the text box if there is none.
 */
export function focusAfterRemoval(removed: Element | null): () => void {
  const row = removed?.closest('article');
  const tile = removed?.closest('li');
  const isInAlbum = row?.contains(tile ?? null) === true;
  const candidates = [
    isInAlbum && adjacentTo(tile)?.querySelector('button'),
    isInAlbum && row,
    adjacentTo(row?.closest('li'))?.querySelector('article'),
    removed?.closest('[data-room]')?.querySelector('textarea'),
  ];
  return () => {
    const focus = (): void => {
      const next = candidates.find((element) => element && element.isConnected);
      if (next) next.focus({ preventScroll: true });
    };
    // Waits until the dialog has tried to restore the focus to the removed message.
    setTimeout(focus, 50);
  };
}

function adjacentTo(item: Element | null | undefined): Element | null | undefined {
  return item?.nextElementSibling ?? item?.previousElementSibling;
}

import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { isModified } from '../../../shared/keyboard/key-press.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** What Enter opens or plays: an image, the first one of an album, or a recording. */
const MEDIA = '[data-image], [data-play]';

/** Handles keys on a message: the arrow keys move the focus to the next one, and Enter opens or plays its media. */
export function handleMessageKeys(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || isModified(event)) return;
  // The viewer returns the focus to an image.
  const article = target.closest('article');
  if (article && target.matches('article, [data-image]') && stepFocus(article, key)) {
    event.preventDefault();
  }
  const media = key === 'Enter' && target.matches('article') && target.querySelector(MEDIA);
  if (!(media instanceof HTMLElement)) return;
  event.preventDefault();
  if (!event.repeat) media.click();
}

/** Moves the focus from a message to the one that an arrow key leads to. Returns that one, if any. */
export function stepFocus(article: HTMLElement, key: string): HTMLElement | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const item = article.closest('li');
  const next = step > 0 ? item?.nextElementSibling : item?.previousElementSibling;
  const found = next?.querySelector('article') ?? undefined;
  found?.focus();
  return found;
}

/** Maximum number of frames to wait until a message is rendered. */
const FRAMES_MAX = 60;

/**
 * Focuses the newest message once the list has arrived at its bottom, if that was asked for. The button that leads
 * there has disappeared by then, so the focus would be lost.
 */
export function useFocusNewest(
  frame: RefObject<HTMLElement | null>,
  isAtBottom: boolean | undefined,
  takeFocusRequest: () => boolean,
): void {
  useEffect(() => {
    if (isAtBottom !== true || !takeFocusRequest()) return undefined;
    let frames = 0;
    let request = 0;
    const focus = (): void => {
      // The user has moved on, or the focus has arrived.
      if (document.activeElement !== document.body) return;
      const articles = frame.current?.querySelectorAll<HTMLElement>('[data-key] article');
      // The list hides rows until it has measured them.
      [...(articles ?? [])].at(-1)?.focus({ preventScroll: true });
      frames += 1;
      if (frames < FRAMES_MAX) request = requestAnimationFrame(focus);
    };
    focus();
    return () => cancelAnimationFrame(request);
  }, [frame, isAtBottom, takeFocusRequest]);
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
  ];
  const room = removed?.closest('[data-room]');
  return () => {
    const focus = (): void => {
      const next = candidates.find((element) => element && element.isConnected);
      // The text box may take the place of the bar of selected messages, which were removed.
      (next || room?.querySelector('textarea'))?.focus({ preventScroll: true });
    };
    // Waits until the dialog has tried to restore the focus to the removed message.
    setTimeout(focus, 50);
  };
}

function adjacentTo(item: Element | null | undefined): Element | null | undefined {
  return item?.nextElementSibling ?? item?.previousElementSibling;
}

import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus between messages with the arrow keys; everything inside a message keeps its own keys. */
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
 * Where the focus goes when the message around an element goes away: its neighbour, or where one
 * writes if it was the only one. To be called before; the answer is to be called after.
 */
export function focusAfterRemoval(inside: Element | null): () => void {
  const item = inside?.closest('li');
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
  const article = neighbour?.querySelector('article');
  const field = inside?.closest('[data-room]')?.querySelector('textarea');
  return () => {
    // After the question's window has given the focus back to what is no longer there.
    setTimeout(() => (article?.isConnected ? article : field)?.focus({ preventScroll: true }), 50);
  };
}

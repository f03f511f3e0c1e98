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
 * Prepares moving the focus when a message is removed. Call it with an element of the message before the
 * removal, and the returned function afterwards. It focuses the adjacent message, or the text box if there
 * is none.
 */
export function focusAfterRemoval(inside: Element | null): () => void {
  const item = inside?.closest('li');
  const adjacent = item?.nextElementSibling ?? item?.previousElementSibling;
  const article = adjacent?.querySelector('article');
  const field = inside?.closest('[data-room]')?.querySelector('textarea');
  return () => {
    // Waits until the dialog has tried to restore the focus to the removed message.
    setTimeout(() => (article?.isConnected ? article : field)?.focus({ preventScroll: true }), 50);
  };
}

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

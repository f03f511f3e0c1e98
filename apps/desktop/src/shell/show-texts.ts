import type { Texts } from '../texts/desktop-texts.ts';

/** Fills every element that has a `data-text` attribute with the text of that key. */
export function showTexts(root: Document, texts: Texts['picker']): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset['text'] as keyof Texts['picker']];
    if (text !== undefined) element.textContent = text;
  }
}

import type { Texts } from '../texts/texts.ts';

/** Puts the texts into the elements that name them with `data-text`. */
export function showTexts(root: Document, texts: Texts['picker']): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset['text'] as keyof Texts['picker']];
    if (text !== undefined) element.textContent = text;
  }
}

import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';

type Item = MenuItemConstructorOptions;

/** The parts of a right click that the menu depends on. */
export type Clicked = Pick<
  ContextMenuParams,
  | 'isEditable'
  | 'selectionText'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'linkURL'
  | 'mediaType'
  | 'srcURL'
  | 'x'
  | 'y'
> & { editFlags: Pick<ContextMenuParams['editFlags'], 'canCut' | 'canCopy' | 'canPaste'> };

/** The actions of the context menu. */
export interface ContextActions {
  replaceMisspelling: (word: string) => void;
  learnWord: (word: string) => void;
  copyText: (text: string) => void;
  copyImageAt: (x: number, y: number) => void;
  saveImage: (url: string) => void;
}

/** Returns the menu of a right click. It is empty if there is nothing to offer. */
export function createContextMenu(clicked: Clicked, texts: Texts, actions: ContextActions): Item[] {
  const groups = [
    spelling(clicked, texts, actions),
    link(clicked, texts, actions),
    image(clicked, texts, actions),
    clipboard(clicked, texts),
  ];
  const items: Item[] = [];
  for (const group of groups) {
    if (items.length > 0 && group.length > 0) items.push({ type: 'separator' });
    items.push(...group);
  }
  return items;
}

function spelling(
  { isEditable, misspelledWord, dictionarySuggestions }: Clicked,
  texts: Texts,
  actions: ContextActions,
): Item[] {
  if (!isEditable || misspelledWord === '') return [];
  const suggestions = dictionarySuggestions.map((word): Item => ({
    label: word,
    click: () => actions.replaceMisspelling(word),
  }));
  return [
    ...(suggestions.length > 0 ? suggestions : [{ label: texts.noSuggestions, enabled: false }]),
    { label: texts.addToDictionary, click: () => actions.learnWord(misspelledWord) },
  ];
}

function link({ linkURL }: Clicked, texts: Texts, actions: ContextActions): Item[] {
  if (linkURL === '') return [];
  return [{ label: texts.copyLink, click: () => actions.copyText(linkURL) }];
}

function image(
  { mediaType, srcURL, x, y }: Clicked,
  texts: Texts,
  actions: ContextActions,
): Item[] {
  if (mediaType !== 'image') return [];
  return [
    { label: texts.saveImage, click: () => actions.saveImage(srcURL) },
    { label: texts.copyImage, click: () => actions.copyImageAt(x, y) },
  ];
}

function clipboard({ isEditable, selectionText, editFlags }: Clicked, texts: Texts): Item[] {
  if (isEditable) {
    return [
      { role: 'cut', label: texts.cut, enabled: editFlags.canCut },
      { role: 'copy', label: texts.copy, enabled: editFlags.canCopy },
      { role: 'paste', label: texts.paste, enabled: editFlags.canPaste },
    ];
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy', label: texts.copy }];
}

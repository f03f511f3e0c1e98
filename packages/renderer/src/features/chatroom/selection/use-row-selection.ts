import type { Message } from '@parley/contract';
import type { FormEvent, KeyboardEvent, MouseEvent, RefObject } from 'react';
import { useSettings } from '../../../app/app-context.ts';
import { isReachedByKeys } from '../../../shared/keyboard/key-context.ts';
import { isModified } from '../../../shared/keyboard/key-press.ts';
import { stepFocus } from '../messages/message-focus.ts';
import { hasKey, itemsOf, type TimelineRow } from '../messages/timeline.ts';
import type { MessageSelection } from './use-message-selection.ts';

/** Whether a row is selected. `none` if it cannot be, as it is not sent. Undefined unless the user selects messages. */
export type RowSelection = 'on' | 'off' | 'none' | undefined;

/** How the rows of a list are selected. */
export interface RowSelecting {
  isActive: boolean;
  /** Starts the selection with the message of a menu, by the key of its row or image. Returns its row. */
  start: (key: string) => HTMLElement | undefined;
  stateOf: (row: TimelineRow) => RowSelection;
  /** Handles a click, also on what a row contains, which does nothing else meanwhile. */
  handleClick: (event: MouseEvent<HTMLElement>) => void;
  /** Handles the check box of a row, which assistive technology changes. */
  handleChange: (event: FormEvent<HTMLElement>) => void;
  /** Handles a key. Returns whether it has no other use meanwhile. */
  handleKey: (event: KeyboardEvent<HTMLElement>) => boolean;
}

/**
 * Selects rows of a list with clicks and keys. Albums are selected as a whole, with their captions.
 * @param frame contains the rows
 */
export function useRowSelection(
  frame: RefObject<HTMLElement | null>,
  rows: readonly TimelineRow[],
  selection: MessageSelection,
): RowSelecting {
  const { isActive, ids, anchor } = selection;
  const hasLetterShortcuts = useSettings((state) => state.hasLetterShortcuts);

  const toggle = (key: string | undefined): void => {
    const messages = key === undefined ? [] : messagesAt(rows, indexOf(rows, key));
    if (key !== undefined && messages.length > 0) selection.toggle(key, messages);
  };
  const extend = (key: string | undefined): void => {
    const [from, to] = [indexOf(rows, anchor), indexOf(rows, key)];
    // The anchor may be no longer loaded.
    if (from < 0 || to < 0) return toggle(key);
    const range = rows
      .map((_row, index) => index)
      .slice(Math.min(from, to), Math.max(from, to) + 1);
    const ordered = from <= to ? range : range.toReversed();
    selection.extend(ordered.map((index) => messagesAt(rows, index)));
  };

  return {
    isActive,
    start: (key) => {
      const part = frame.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
      const article = part?.closest('article') ?? part?.querySelector('article');
      toggle(key);
      return article ?? undefined;
    },
    stateOf: (row) => {
      if (!isActive) return undefined;
      const messages = sentOf(row);
      if (messages.length === 0) return 'none';
      return messages.every(({ _id }) => ids.has(_id)) ? 'on' : 'off';
    },
    handleClick: (event) => {
      const article = isActive && articleAt(event.target, frame);
      if (!article || isCheck(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      const key = keyOf(article);
      if (event.shiftKey) extend(key);
      else toggle(key);
    },
    handleChange: ({ target }) => {
      const article = isActive && isCheck(target) && articleAt(target, frame);
      if (article) toggle(keyOf(article));
    },
    handleKey: (event) => {
      const article = isActive && articleAt(event.target, frame);
      if (!article) return false;
      const { key, shiftKey, target } = event;
      const isOther = isModified({ ...pressOf(event), shiftKey: false });
      const next = isOther ? undefined : stepFocus(article, key);
      if (next) {
        event.preventDefault();
        if (shiftKey) extend(keyOf(next));
        return true;
      }
      const isLetter = key === 'x' && hasLetterShortcuts && isReachedByKeys(article);
      // The browser changes the check box with the space bar.
      const isPress = key === 'Enter' || (key === ' ' && target === article);
      if (isOther || shiftKey || !(isLetter || isPress)) return true;
      event.preventDefault();
      if (!event.repeat) toggle(keyOf(article));
      return true;
    },
  };
}

function pressOf({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  return { altKey, ctrlKey, metaKey, shiftKey };
}

function articleAt(
  target: EventTarget,
  frame: RefObject<HTMLElement | null>,
): HTMLElement | undefined {
  const article = target instanceof Element ? target.closest('article') : null;
  // The events of dialogs bubble here, too.
  return article && frame.current?.contains(article) ? article : undefined;
}

function isCheck(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox';
}

function keyOf(article: Element): string | undefined {
  return article.closest<HTMLElement>('[data-key]')?.dataset['key'];
}

function indexOf(rows: readonly TimelineRow[], key: string | undefined): number {
  return rows.findIndex((row) => hasKey(row, key));
}

/** Returns the sent messages of a row, and of the rest of its bubble: the images above a caption, or the caption. */
function messagesAt(rows: readonly TimelineRow[], index: number): Message[] {
  const caption = rows[index]?.caption;
  const first = caption === 'caption' ? index - 1 : index;
  const last = caption === 'image' ? index + 1 : index;
  return index < 0 ? [] : rows.slice(first, last + 1).flatMap(sentOf);
}

function sentOf(row: TimelineRow): Message[] {
  return itemsOf(row).flatMap(({ message }) => message ?? []);
}

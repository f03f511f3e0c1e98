import { foldText } from '@parley/contract';
import type { LucideIcon } from 'lucide-react';

/** Something that the switcher does besides opening chats and messages. */
export interface SwitcherAction {
  id: string;
  name: string;
  /** Other words that find it. */
  words: string;
  icon: LucideIcon;
  /** Whether it is a setting that is chosen already. */
  isCurrent?: boolean;
  /** Whether it leaves the focus to the screen or the dialog that it opens. */
  movesFocus: boolean;
  run: () => void;
}

/**
 * Returns the actions that have words with the beginnings that a text consists of, in any order. Those with all of them
 * in their names come first.
 */
export function findActions(
  actions: readonly SwitcherAction[],
  text: string,
): readonly SwitcherAction[] {
  const beginnings = wordsOf(text);
  const named = actions.filter(({ name }) => hasBeginnings(name, beginnings));
  const others = actions.filter(
    (action) =>
      !named.includes(action) && hasBeginnings(`${action.name} ${action.words}`, beginnings),
  );
  return [...named, ...others];
}

function hasBeginnings(text: string, beginnings: readonly string[]): boolean {
  const words = wordsOf(text);
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

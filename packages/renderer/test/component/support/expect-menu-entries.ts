import type { Translator } from '@parley/texts/translator';
import { expect } from 'vitest';
import { messageMenu } from './message-menu.ts';

/** Expects the open menu of a message to have exactly these entries, given by the keys of their texts. */
export function expectMenuEntries(t: Translator, keys: readonly string[]): void {
  // The quick reactions are in a group.
  const entries = messageMenu.getByCss('[role="menuitem"]:not([role="group"] *)').elements();
  expect(entries.map(({ textContent }) => textContent)).toEqual(
    keys.map((key) => t(`message.${key}`)),
  );
}

import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { readPageStorage } from './support/page-storage.ts';

test('the page stores nothing without a keyring', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const path = `/chatarea/chats/${room}`;
  const host = { getStorageKey: async () => null };
  const { reload } = await openApp({ server, user: 'Alice', path, host });
  await messageBox().fill('A secret message');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('A secret')).toHaveAttribute('data-state', 'sent');
  await messageBox().fill('A secret draft');
  await reload();
  await expect.element(messageWith('A secret message')).toBeVisible();
  await expect.element(messageBox()).toHaveValue('');
  const stored = await readPageStorage();
  expect(stored).not.toContain('secret');
  // There is no database, or all its collections are empty.
  expect(stored).toMatch(/(?:\}|\[(?:\[\],?)+\])$/);
});

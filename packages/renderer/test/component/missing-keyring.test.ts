import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { messageBox, messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';

test('the page stores nothing without a keyring', async () => {
  const host = { getStorageKey: async () => null };
  const { reload } = await openChatOf('Alice', { host });
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

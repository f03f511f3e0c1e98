import { expect, test } from 'vitest';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

test('a live connection that died during sleep is replaced immediately', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const resumed = new Set<(wasAway: boolean) => void>();
  const { browser } = await openApp({
    server,
    user: 'Bob',
    path: `/chatarea/chats/${room}`,
    host: {
      onResume: (listener) => {
        resumed.add(listener);
        return () => void resumed.delete(listener);
      },
    },
  });
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  browser.loseLiveConnection();
  await sendTextAs(server, 'Alice', room, 'Good night');
  expect(messageWith('Good night').elements()).toEqual([]);
  for (const listener of resumed) listener(true);
  await expect.element(messageWith('Good night')).toBeVisible();
  await sendTextAs(server, 'Alice', room, 'Good morning');
  await expect.element(messageWith('Good morning')).toBeVisible();
});

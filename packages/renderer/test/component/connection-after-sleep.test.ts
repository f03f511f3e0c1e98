import { expect, test } from 'vitest';
import { sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

test('a live connection that died during sleep is replaced immediately', async () => {
  const resumed = new Set<(wasAway: boolean) => void>();
  const { browser, room, server } = await openChatOf('Bob', {
    host: {
      onResume: (listener) => {
        resumed.add(listener);
        return () => void resumed.delete(listener);
      },
    },
  });
  browser.loseLiveConnection();
  await sendTextAs(server, 'Alice', room, 'Good night');
  expect(messageWith('Good night').elements()).toEqual([]);
  for (const listener of resumed) listener(true);
  await expect.element(messageWith('Good night')).toBeVisible();
  await sendTextAs(server, 'Alice', room, 'Good morning');
  await expect.element(messageWith('Good morning')).toBeVisible();
});

import { expect, test } from 'vitest';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

test("the user's older messages are loaded when the partner's account and its messages are deleted", async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  // These messages fill more than one page and are too tall for the next page to be loaded in advance.
  for (let i = 0; i < 60; i += 1) await sendTextAs(server, 'Bob', room, 'line\n'.repeat(8));
  await sendTextAs(server, 'Bob', room, 'the end');
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  await expect.element(messageWith('the end')).toBeVisible();
  expect(messageWith('Hello Bob!').elements()).toEqual([]);
  await actAs(server, 'Bob').call('deleteAccount');
  await expect.element(messageWith('the end')).not.toBeInTheDocument();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});

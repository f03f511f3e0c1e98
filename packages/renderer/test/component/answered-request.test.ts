import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contentsSeenBy, createChatBetween, createServerWith } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

test('an answer written offline accepts a request once it is sent', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const text = 'Are you there?';
  const room = await createChatBetween(server, ['Alice', 'Bob'], text, { isRequest: true });
  const { browser } = await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}` });
  await expect.element(messageWith(text)).toBeVisible();
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await messageBox().fill('Yes, in a tunnel');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('in a tunnel')).toHaveAttribute('data-state', 'waiting');
  browser.setOnline(true);
  await expect.element(messageWith('in a tunnel')).toHaveAttribute('data-state', 'sent');
  const request = page.getByRole('region', { name: t('request.label') });
  await expect.element(request).not.toBeInTheDocument();
  expect(await contentsSeenBy(server, 'Alice', room)).toEqual([text, 'Yes, in a tunnel']);
});

test('a message that waits for the limit of requests says so', async () => {
  const { server } = await openChatOf('Alice');
  const limited = { code: 'rate_limited', errorMessage: 'Too many requests.' };
  const headers = { 'retry-after': '3000' };
  server.intercept('sendMessage', () => Response.json(limited, { status: 429, headers }));
  await messageBox().fill('One too many');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(t('message.limited'))).toBeVisible();
  await expect.element(messageWith('One too many')).toHaveAttribute('data-state', 'waiting');
});

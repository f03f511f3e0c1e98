import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

const HTML = { headers: { 'content-type': 'text/html' } };
const JSON_TEXT = { headers: { 'content-type': 'application/json' } };

const RESPONSES_WITHOUT_CHATROOM: readonly (readonly [string, () => Response])[] = [
  ['an errorMessage', () => Response.json({ errorMessage: 'No such chatroom.' })],
  [
    'an errorMessage beside data',
    () => Response.json({ errorMessage: 'No.', chatroomMessages: [] }),
  ],
  ['no data', () => new Response('')],
  ['null', () => Response.json(null)],
  ['an empty object', () => Response.json({})],
  ['invalid messages', () => Response.json({ chatroomMessages: [{}], currentUsername: 'Bob' })],
  ['a page of HTML', () => new Response('<!doctype html><p>Log in to the Wi-Fi', HTML)],
  ['a truncated response', () => new Response('{"chatroomMessages":[', JSON_TEXT)],
];

test('a response without a chatroom leads to the 404 page', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Bob' });
  const heading = page.getByRole('heading', { level: 1 });
  for (const [what, respond] of RESPONSES_WITHOUT_CHATROOM) {
    const restore = server.intercept('getChatroom', respond);
    await chatRowOf('Alice').click();
    await expect.poll(() => location.pathname, { message: what }).toBe('/404');
    await expect.element(heading).toMatchTextContent(t('notFound.title'));
    restore();
    await page.getByRole('button', { name: t('notFound.back') }).click();
  }
  await chatRowOf('Alice').click();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});

test('a failure of the server or the network keeps the screen and offers a retry', async () => {
  // Each screen depends on the server's responses without it.
  localStorage.setItem('parley.offline-copy', 'false');
  const { server, path, reload } = await openChatOf('Bob');
  for (const status of [500, 503, 429, 0]) {
    const restore = server.intercept('getChatroom', () => {
      if (status === 0) return noResponse();
      return Response.json({ errorMessage: 'Not now.', code: 'internal' }, { status });
    });
    await reload(path);
    await expect.element(page.getByText(t('room.error'))).toBeVisible();
    const reason = t(status === 0 ? 'error.offline' : 'error.serverTrouble');
    await expect.element(page.getByText(reason, { exact: false })).toBeVisible();
    restore();
    // A reconnect may load the chatroom before the click.
    await expect
      .poll(() => {
        const retry = page.getByRole('button', { name: t('app.retry') }).elements();
        for (const button of retry) (button as HTMLElement).click();
        return messageWith('Hello Bob!').elements();
      })
      .toHaveLength(1);
    expect(location.pathname).toBe(path);
  }
});

test('an invalid chat list shows an error and does not log the user out', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob']);
  localStorage.setItem('parley.offline-copy', 'false');
  const { reload } = await openApp({ server, user: 'Bob' });
  for (const respond of [
    () => Response.json({}),
    () => new Response(''),
    () => new Response('<p>'),
  ]) {
    const restore = server.intercept('listChats', respond);
    await reload();
    await expect.element(page.getByText(t('chatList.error'))).toBeVisible();
    restore();
  }
  await reload();
  await expect.element(chatRowOf('Alice')).toBeVisible();
});

import type { PublicConfig } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { noResponse } from './support/no-response.ts';
import { clickRetry } from './support/click-retry.ts';

const t = createTranslator('en');

test('each screen that cannot be loaded shows an error and offers a retry', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  const retry = page.getByRole('button', { name: t('app.retry') });
  const sessions = page.getByRole('region', { name: t('settings.sessions') });
  // Each screen depends on the server's responses without it.
  localStorage.setItem('parley.offline-copy', 'false');
  const { reload } = await openApp({ server, user: 'Alice' });
  for (const [path, endpoint, error, content] of [
    [
      '/settings',
      'listSessions',
      'settings.sessionsFailed',
      sessions.getByRole('listitem').first(),
    ],
    [room, 'getChatroom', 'room.error', messageWith('Hello Bob!')],
  ] as const) {
    let requests = 0;
    const restore = server.intercept(endpoint, () => {
      requests += 1;
      // A status after which the client does not repeat the request.
      return new Response(null, { status: 501 });
    });
    await reload(path);
    await expect.element(page.getByText(t(error))).toBeVisible();
    const failed = requests;
    // The notifications' list of devices, above the sessions, needs them too.
    await retry.last().click();
    await expect.poll(() => requests).toBeGreaterThan(failed);
    await expect.element(page.getByText(t(error))).toBeVisible();
    await clickRetry(retry.last(), restore);
    await expect.element(content).toBeVisible();
  }
  const restore = server.intercept('getConfig', noResponse);
  await reload(room);
  const heading = page.getByRole('heading', { name: t('app.startFailed') });
  await expect.element(heading).toBeVisible();
  await clickRetry(retry, restore);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});

test('a page that is incompatible with the server shows which one is older', async () => {
  let reloads = 0;
  const updates = {
    check: async () => undefined,
    onReady: () => () => undefined,
    reload: async () => {
      reloads += 1;
    },
  };
  const { server, reload } = await openApp({ user: 'Alice', host: { updates } });
  for (const [change, text] of [
    [1, 'app.serverNewer'],
    [-1, 'app.serverOlder'],
  ] as const) {
    const restore = server.intercept('getConfig', async (_, next) => {
      const response = await next();
      const config = (await response.json()) as PublicConfig;
      const apiVersion = config.apiVersion + change;
      return Response.json({ ...config, apiVersion, minApiVersion: apiVersion });
    });
    await reload();
    const heading = page.getByRole('heading', { level: 1, name: t(text) });
    await expect.element(heading).toBeVisible();
    restore();
  }
  await page.getByRole('button', { name: t('app.reload') }).click();
  expect(reloads).toBe(1);
  await reload();
  await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
});

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the chat list shows when it is loading, has failed or is empty (${language})`, async () => {
    const server = createServerWith(['Alice'], language);
    const held = Promise.withResolvers<void>();
    const restore = server.intercept('listChats', async () => {
      await held.promise;
      // A status after which the client does not repeat the request.
      return new Response(null, { status: 501 });
    });
    await openApp({ server, user: 'Alice', language });
    await expect.element(page.getByText(t('chatList.loading'))).toBeInTheDocument();
    held.resolve();
    await expect.element(page.getByText(t('chatList.error'))).toBeVisible();
    await page.getByRole('button', { name: t('app.retry') }).click();
    restore();
    await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
  });
}

const t = createTranslator('en');

test('a chat list row shows the partner, the time, a preview and the unread count', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Bob' });
  const row = chatRowOf('Alice');

  await expect.element(row.getByText('1 unread message')).toBeInTheDocument();
  const title = t('app.unreadTitle', { count: 1, title: 'Chats · Parley' });
  await expect.poll(() => document.title).toBe(title);
  await expect.element(row.getByCss('time')).toMatchTextContent(/^\d{1,2}:\d{2}\s(?:AM|PM)$/);

  const long = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen';
  await sendTextAs(server, 'Alice', room, `${long} fifteen`);
  await expect.element(row).toMatchTextContent(`${long.slice(0, 80)}…`);
  await page.viewport(1100, 800);
  await expect.element(row).toMatchTextContent(`${long.slice(0, 20).trimEnd()}…`);
  await expect.element(row).not.toMatchTextContent(long.slice(0, 30));

  const typo = await sendTextAs(server, 'Alice', room, 'A typoo');
  await expect.element(row).toMatchTextContent('A typoo');
  await actAs(server, 'Alice').call('deleteMessage', { body: { messageId: typo } });
  await expect.element(row).not.toMatchTextContent('A typoo');
  await expect.element(row.getByText('2 unread messages')).toBeInTheDocument();

  await createChatBetween(server, ['Carla', 'Bob'], 'Hi Bob');
  const first = page.getByCss('[data-chat]').first();
  await expect.element(first).toMatchTextContent('Carla');
  await sendTextAs(server, 'Alice', room, 'Me again');
  await expect.element(first).toMatchTextContent('Alice');
  await expect.poll(() => document.title).toMatch(/^\(4\)/);
});

test('a chat list row shows half as much of an own message, after “You:”', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const long = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen';
  await createChatBetween(server, ['Alice', 'Bob'], long);
  await openApp({ server, user: 'Alice' });
  const row = chatRowOf('Bob');
  await expect.element(row).toMatchTextContent(`${long.slice(0, 40).trimEnd()}…`);
  await expect.element(row.getByText(t('chatList.you'))).toBeInTheDocument();
});

test('a failed logout keeps the user signed in', async () => {
  const { server, reload } = await openApp({ user: 'Alice' });
  const restore = server.intercept('logout', () => new Response(null, { status: 500 }));
  const logOut = async () => {
    await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  };
  await logOut();
  await expect.element(page.getByText(t('frame.logoutFailed'))).toBeVisible();
  restore();
  await logOut();
  await expectPath('/');
  await reload('/chatarea');
  await expectPath('/');
});

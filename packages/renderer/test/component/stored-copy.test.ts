import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

/** Opens a chatroom with Alice's first message and Bob's answer. Resolves once the page has stored it. */
async function showStoredChatroom() {
  const app = await openChatOf('Alice');
  const answer = await sendTextAs(app.server, 'Bob', app.room, 'Hello Alice!');
  await expect.element(messageWith('Hello Alice!')).toBeVisible();
  await expect.poll(readPageStorage).toContain('Hello Alice!');
  await expect.poll(readPageStorage).toContain('start-facts');
  return { ...app, answer };
}

test('a message deleted on the server does not reappear from the offline copy', async () => {
  const { server, browser, reload, path, answer } = await showStoredChatroom();
  await reload('/chatarea', () =>
    actAs(server, 'Bob').call('deleteMessage', { body: { messageId: answer } }),
  );
  await expect.element(chatRowOf('Bob')).toMatchTextContent('Hello Bob!');
  await expect.poll(readPageStorage).not.toContain('Hello Alice!');
  browser.setOnline(false);
  await reload(path);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  expect(messageWith('Hello Alice!').elements()).toEqual([]);
});

test('the chat list of the server replaces the one of the offline copy', async () => {
  const { server, reload, room } = await showStoredChatroom();
  await reload('/chatarea', () => sendTextAs(server, 'Bob', room, 'while she was away'));
  await expect.element(chatRowOf('Bob')).toMatchTextContent('while she was away');
  await expect.poll(readPageStorage).toContain('while she was away');
});

test('messages that arrived while the page was closed are below the line of unread messages', async () => {
  const { server, reload, room, path } = await showStoredChatroom();
  await reload(path, async () => {
    for (let i = 1; i <= 60; i += 1) await sendTextAs(server, 'Bob', room, `missed ${i}.`);
  });
  await expect.element(messageWith('missed 1.')).toBeInViewport();
  await expect.element(page.getByText(t('room.newMessages')).first()).toBeInViewport();
});

test('logging out asks before it deletes unsent messages', async () => {
  const { server } = await showStoredChatroom();
  server.intercept('sendMessage', () =>
    Response.json({ code: 'invalid_request' }, { status: 400 }),
  );
  await messageBox().fill('refused');
  await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
  await expect.element(messageWith('refused')).toHaveAttribute('data-state', 'failed');
  const logOut = page.getByRole('menuitem', { name: t('frame.logout') });
  const openMenu = () =>
    page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  const dialog = page.getByRole('alertdialog');
  await openMenu();
  await logOut.click();
  await expect.element(dialog.getByText(t('frame.logoutUnsentText'))).toBeVisible();
  await dialog.getByRole('button', { name: t('app.cancel') }).click();
  await expect.element(messageWith('refused')).toBeVisible();
  await openMenu();
  await logOut.click();
  await dialog.getByRole('button', { name: t('frame.logout') }).click();
  await expectPath('/');
  await expect.poll(readPageStorage).not.toMatch(/refused|Hello|Alice/);
});

test('a session that was ended while the page was closed leaves no data', async () => {
  const { server, reload } = await showStoredChatroom();
  await messageBox().fill('half a sentence');
  await expect.poll(readPageStorage).toContain('half a sentence');
  await reload(undefined, () => actAs(server, 'Alice').call('endOtherSessions'));
  await expectPath('/');
  await expect.poll(readPageStorage).not.toMatch(/Hello|half a sentence|Alice/);
});

test('the data of another user who signs in replaces what was stored', async () => {
  const { server, browser, reload } = await showStoredChatroom();
  await messageBox().fill('half a sentence');
  await expect.poll(readPageStorage).toContain('half a sentence');
  const credentials = { email: 'Bob@example.org', password: 'correct horse' };
  await reload(undefined, async () => {
    const response = await browser.fetch(`${server.origin}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    expect(response.status).toBe(200);
  });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  await expect.element(messageBox()).toHaveValue('');
  await expect.poll(readPageStorage).not.toContain('half a sentence');
});

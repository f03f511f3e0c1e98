import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('a first message waits for the connection, can be canceled and survives a reload', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const path = '/chatarea/chats/new-chatroom/Bob';
  const { browser, reload } = await openApp({ server, user: 'Alice', path });
  await expect.element(messageBox()).toBeVisible();
  browser.setOnline(false);
  const cancel = page.getByRole('button', { name: t('newChatroom.cancelSending') });
  await messageBox().fill('Hello');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(t('message.waiting'))).toBeVisible();
  await cancel.click();
  await expect.element(page.getByText(t('message.waiting'))).not.toBeInTheDocument();
  await messageBox().fill('Hello Bob!');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveAttribute('readonly');
  await expect.element(cancel).toBeVisible();

  await reload();
  browser.setOnline(true);
  await expect.element(messageWith('Hello Bob!')).toHaveAttribute('data-state', 'sent');
  expect(location.pathname).toMatch(/^\/chatarea\/chats\/[0-9a-f-]{36}$/);
  const { chatrooms } = await actAs(server, 'Bob').call('listChats');
  expect(chatrooms).toMatchObject([{ lastMessage: { content: 'Hello Bob!' } }]);
});

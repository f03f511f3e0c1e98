import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createServerWith, sendTextAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { holdRequests } from './support/hold-requests.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

test('the edited text stays in the text box if the message is deleted during the edit', async () => {
  let id = '';
  const { server } = await openChatOf('Alice', {}, async (server, room) => {
    id = await sendTextAs(server, 'Alice', room, 'Once');
  });
  await expect.element(messageWith('Once')).toBeVisible();
  messageBox().element().focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageBox()).toHaveValue('Once');
  await messageBox().fill('Once upon a time');
  await actAs(server, 'Alice').call('deleteMessage', { body: { messageId: id } });

  await closeToast(t('composer.editedMessageDeleted'));
  const cancel = page.getByRole('button', { name: t('composer.cancelEdit') });
  await expect.element(cancel).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveValue('Once upon a time');
  messageBox().element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('Once upon a time')).toBeVisible();
  // The first message of the chatroom, and the edited text as a new one.
  expect(page.getByCss('[data-message]').elements()).toHaveLength(2);
});

test('a hint shows that a text is too long, without changing the width of the text box', async () => {
  const { reload } = await openChatOf('Alice', { viewport: { width: 360, height: 740 } });
  const width = () => Math.round(messageBox().element().getBoundingClientRect().width);
  const hint = page.getByText(t('composer.tooLong_other', { count: 5 }));
  await messageBox().fill('a'.repeat(10_000));
  const before = width();
  await expect.element(hint).not.toBeInTheDocument();
  await messageBox().fill('a'.repeat(10_005));
  await expect.element(hint).toBeVisible();
  expect(width()).toBe(before);

  await reload('/chatarea/chats/new-chatroom/Carla');
  await messageBox().fill('a'.repeat(10_005));
  await expect.element(hint).toBeVisible();
});

test('a first message cannot be edited while it is being sent', async () => {
  const server = createServerWith(['Alice', 'Carla']);
  await openApp({ server, user: 'Alice', path: '/chatarea/chats/new-chatroom/Carla' });
  const release = holdRequests(server, 'createChatroom');
  await messageBox().fill('Hi Carla');
  await userEvent.keyboard('{Enter} and more');
  await expect.element(messageBox()).toHaveValue('Hi Carla');
  release();
  await expect.element(messageWith('Hi Carla')).toMatchTextContent(/^Hi Carla\d/);
  await expect.element(messageBox()).toHaveFocus();
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  contentsSeenBy,
  createChatBetween,
  createServerWith,
  sendTextAs,
} from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { noResponse } from './support/no-response.ts';
import { refuse } from './support/refuse.ts';
import { chooseFromRoomMenu } from './support/room-menu.ts';

const t = createTranslator('en');
const row = (text: string) => messageRow(messageWith(text));

test('an edit and a deletion while offline are shown at once, survive a reload and are sent later', async () => {
  const { server, room, reload } = await openChatOf('Alice', {}, async (memoryServer, id) => {
    await sendTextAs(memoryServer, 'Alice', id, 'A mistake');
    await sendTextAs(memoryServer, 'Alice', id, 'A secret');
  });
  const restore = (['editMessage', 'deleteMessage'] as const).map((name) =>
    server.intercept(name, noResponse),
  );
  await row('A mistake')
    .getByRole('button', { name: t('message.edit') })
    .click();
  await messageBox().fill('Corrected');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveValue('');
  await row('A secret')
    .getByRole('button', { name: t('message.delete') })
    .click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: t('app.delete') }).click();
  const expectShown = async (): Promise<void> => {
    await expect.element(messageWith('Corrected')).toMatchTextContent(t('message.updated'));
    await expect.element(messageWith('A secret')).not.toBeInTheDocument();
    await expect.element(chatRowOf('Bob')).toMatchTextContent('Corrected');
  };
  await expectShown();
  await reload();
  await expectShown();
  const before = ['Hello Bob!', 'A mistake', 'A secret'];
  expect(await contentsSeenBy(server, 'Bob', room)).toEqual(before);
  for (const end of restore) end();
  const seen = () => contentsSeenBy(server, 'Bob', room);
  await expect.poll(seen).toEqual(['Hello Bob!', 'Corrected']);
  await expectShown();
});

test('a request is accepted without a connection, and what is written then follows', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const text = 'Are you there?';
  const room = await createChatBetween(server, ['Alice', 'Bob'], text, { isRequest: true });
  const { reload } = await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}` });
  const restore = server.intercept('acceptChat', noResponse);
  const request = page.getByRole('region', { name: t('request.label') });
  await request.getByRole('button', { name: t('request.accept') }).click();
  await expect.element(request).not.toBeInTheDocument();
  await messageBox().fill('Yes');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('Yes')).toHaveAttribute('data-state', 'waiting');
  await reload();
  await expect.element(messageWith('Yes')).toHaveAttribute('data-state', 'waiting');
  await expect.element(request).not.toBeInTheDocument();
  restore();
  await expect.element(messageWith('Yes')).toHaveAttribute('data-state', 'sent');
  expect(await contentsSeenBy(server, 'Alice', room)).toEqual([text, 'Yes']);
});

test('a decision about a partner that the server refuses is undone, and says so', async () => {
  const { server } = await openChatOf('Bob');
  server.intercept('blockPartner', refuse);
  await chooseFromRoomMenu(t, 'room.block');
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: t('request.block'), exact: true }).click();
  await closeToast(t('request.failed'));
  await chatRowOf('Alice').click();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});

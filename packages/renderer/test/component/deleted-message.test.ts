import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  contentsSeenBy,
  createChatBetween,
  createServerWith,
  sendTextAs,
} from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('the sender deletes a message for both users after a confirmation', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendTextAs(server, 'Alice', room, 'Nobody saw this');
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  const confirmation = page.getByRole('alertdialog');
  const row = page.getByRole('article').filter({ has: messageWith('Nobody saw this') });
  const answer = async (key: 'app.cancel' | 'app.delete') => {
    await row.getByRole('button', { name: t('message.delete') }).click();
    await confirmation.getByRole('button', { name: t(key), exact: true }).click();
  };
  await answer('app.cancel');
  await expect.element(confirmation).not.toBeInTheDocument();
  const restore = server.intercept('deleteMessage', () => new Response(null, { status: 500 }));
  await answer('app.delete');
  await closeToast(t('message.deleteFailed'));
  await expect.element(messageWith('Nobody saw this')).toBeVisible();
  restore();
  await answer('app.delete');
  await expect.element(messageWith('Nobody saw this')).not.toBeInTheDocument();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  expect(await contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob!']);
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { contentsSeenBy, sendTextAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { refuse } from './support/refuse.ts';

const MISTAKE = 'Sent by mistake';
const t = createTranslator('en');

test('the sender deletes a message for both users after a confirmation', async () => {
  const { server, room } = await openChatOf('Alice', {}, async (memoryServer, id) => {
    await sendTextAs(memoryServer, 'Alice', id, MISTAKE);
  });
  const confirmation = page.getByRole('alertdialog');
  const row = messageRow(messageWith(MISTAKE));
  const answer = async (key: 'app.cancel' | 'app.delete') => {
    await row.getByRole('button', { name: t('message.delete') }).click();
    await confirmation.getByRole('button', { name: t(key), exact: true }).click();
  };
  await answer('app.cancel');
  await expect.element(confirmation).not.toBeInTheDocument();
  const restore = server.intercept('deleteMessage', refuse);
  await answer('app.delete');
  await closeToast(t('message.deleteFailed_one'));
  await expect.element(messageWith(MISTAKE)).toBeVisible();
  restore();
  await answer('app.delete');
  await expect.element(messageWith(MISTAKE)).not.toBeInTheDocument();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob!']);
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, sendTextAs } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { menuItem, messageMenu, messageRow, openMessageMenu } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const hello = () => messageWith('Hello Bob!');
const mine = () => messageWith('Are you there?');
const editButton = page.getByRole('button', { name: t('message.edit') });

/** Expects that the menu of the user's message offers to delete it, but not to edit it. */
async function expectNoEditInMenu(): Promise<void> {
  await openMessageMenu(mine());
  await expect.element(menuItem(t('message.delete'))).toBeVisible();
  await expect.element(menuItem(t('message.edit'))).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(messageMenu).not.toBeInTheDocument();
}

test('a message to a deleted partner is not offered for editing: not by a button, an open menu or a key', async () => {
  const { server, room } = await openChatOf('Bob');
  await sendTextAs(server, 'Bob', room, 'Are you there?');
  await openMessageMenu(mine());
  await expect.element(menuItem(t('message.edit'))).toBeVisible();
  await actAs(server, 'Alice').call('deleteAccount');
  await expect.element(hello()).not.toBeInTheDocument();
  await expect.element(menuItem(t('message.edit'))).not.toBeInTheDocument();
  await expect.element(menuItem(t('message.delete'))).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(messageMenu).not.toBeInTheDocument();
  await expectNoEditInMenu();
  await expect.element(editButton).not.toBeInTheDocument();
  await messageBox().click();
  await reachWithKeys(messageRow(mine()), BACKWARDS);
  await userEvent.keyboard('e');
  await nextFrames();
  await expect.element(messageRow(mine())).toHaveFocus();

  await messageBox().click();
  await userEvent.keyboard('{ArrowUp}');
  await nextFrames();
  await expect.element(messageBox()).toHaveValue('');
});

test('a message to a partner whom the user has blocked is not offered for editing', async () => {
  const { server, room, path } = await openChatOf('Bob');
  await sendTextAs(server, 'Bob', room, 'Are you there?');
  await expect.element(mine()).toBeVisible();
  await expect.element(editButton).toBeInTheDocument();
  await actAs(server, 'Bob').call('blockPartner', { params: { id: room } });
  await openApp({ server, user: 'Bob', path });
  await expect.element(page.getByText(t('block.bar', { name: 'Alice' }))).toBeVisible();
  await expect.element(mine()).toBeVisible();
  await expect.element(editButton).not.toBeInTheDocument();
  await expectNoEditInMenu();
  await reachWithKeys(messageRow(mine()));
  await userEvent.keyboard('e');
  await nextFrames();
  await expect.element(messageRow(mine())).toHaveFocus();
  await expect.element(page.getByText(t('composer.editing'))).not.toBeInTheDocument();
});

test('a message to a partner who has blocked the user can be edited as ever', async () => {
  const { server, room } = await openChatOf('Bob');
  await sendTextAs(server, 'Bob', room, 'Are you there?');
  await actAs(server, 'Alice').call('blockPartner', { params: { id: room } });
  await expect.element(mine()).toBeVisible();
  await expect
    .element(messageRow(mine()).getByRole('button', { name: t('message.edit') }))
    .toBeVisible();
  await openMessageMenu(mine());
  await expect.element(menuItem(t('message.edit'))).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(messageMenu).not.toBeInTheDocument();
  await messageBox().click();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageBox()).toHaveValue('Are you there?');
  await userEvent.keyboard('{Escape}');
  await expect.element(messageBox()).toHaveValue('');
  await reachWithKeys(messageRow(mine()), BACKWARDS);
  await userEvent.keyboard('e');
  await expect.element(messageBox()).toHaveValue('Are you there?');
});

import { UI } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, contentsSeenBy, messagesSeenBy } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { refuse } from './support/refuse.ts';

const t = createTranslator('en');

/** Returns whether the message box has a yellow outline. */
function hasYellowOutline(): boolean {
  const bar = messageBox().element().parentElement!;
  const { outlineStyle, outlineColor } = getComputedStyle(bar);
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--yellow)';
  const isYellow = outlineStyle === 'solid' && getComputedStyle(probe).color === outlineColor;
  probe.remove();
  return isYellow;
}

test('an own text message is edited, with a yellow outline, and Escape cancels editing', async () => {
  const { server, room } = await openChatOf('Alice');
  const edit = page.getByRole('button', { name: t('message.edit') });
  await messageBox().fill('A draft');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await messageRow(messageWith('Hello Bob!'))
    .getByRole('button', { name: t('message.edit') })
    .click();
  await expect.element(messageBox()).toHaveValue('Hello Bob!');
  await expect.element(messageBox()).toHaveFocus();
  expect(hasYellowOutline()).toBe(true);
  await vi.advanceTimersByTimeAsync(UI.editHighlight);
  await expect.poll(hasYellowOutline).toBe(false);
  vi.useRealTimers();
  await userEvent.keyboard('{Escape}');
  await expect.element(messageBox()).toHaveValue('A draft');

  await messageBox().fill('');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageBox()).toHaveValue('Hello Bob!');
  const restore = server.intercept('editMessage', refuse);
  await messageBox().fill('Hello Bob, dear!');
  await userEvent.keyboard('{Enter}');
  await closeToast(t('composer.editFailed'));
  // The refused text comes back.
  await expect.element(messageBox()).toHaveValue('Hello Bob, dear!');
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  restore();
  await messageBox().fill('');
  await userEvent.keyboard('{ArrowUp}');
  await messageBox().fill('Hello Bob, dear!');
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect.element(messageBox()).toHaveValue('');
  await expect.element(messageWith('Hello Bob, dear!')).toMatchTextContent(t('message.updated'));
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await expect.element(edit).toBeInTheDocument();
  await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob, dear!']);
});

test('a message that the partner edits is shown as edited, without a button to edit it', async () => {
  const { server, room } = await openChatOf('Bob');
  const [message] = await messagesSeenBy(server, 'Alice', room);
  const body = { messageId: message?._id ?? '', content: 'Hello Bob, dear!' };
  await actAs(server, 'Alice').call('editMessage', { body });
  await expect.element(messageWith('Hello Bob, dear!')).toMatchTextContent(t('message.updated'));
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await expect
    .element(page.getByRole('button', { name: t('message.edit') }))
    .not.toBeInTheDocument();
});

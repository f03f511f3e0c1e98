import { LIMITS, UI } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  contentsSeenBy,
  createChatBetween,
  createServerWith,
  messagesSeenBy,
} from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';
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

/** Clicks, also if something moves. */
async function press(target: Locator): Promise<void> {
  await expect.element(target).toBeVisible();
  (target.element() as HTMLElement).click();
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
  // The refused edit is unfinished again.
  await expect.element(messageBox()).toHaveValue('Hello Bob, dear!');
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  restore();
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect.element(messageBox()).toHaveValue('');
  await expect.element(messageWith('Hello Bob, dear!')).toMatchTextContent(t('message.updated'));
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await expect.element(edit).toBeInTheDocument();
  await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob, dear!']);
});

test('an unfinished edit is a draft, which survives another chat and a reload', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Carla'], 'Hi Carla');
  const { reload } = await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  const openCarla = async () => {
    await chatRowOf('Carla').click();
    await expect.element(messageWith('Hi Carla')).toBeVisible();
    await expect.element(messageBox()).toHaveValue('');
  };
  const mark = chatRowOf('Bob').getByText(t('chatList.draft'));
  await messageBox().fill('A draft');
  await press(
    messageRow(messageWith('Hello Bob!')).getByRole('button', { name: t('message.edit') }),
  );
  await expect.element(messageBox()).toHaveValue('Hello Bob!');
  // Nothing is kept of an edit without a change.
  await openCarla();
  await chatRowOf('Bob').click();
  await expect.element(messageBox()).toHaveValue('A draft');
  await messageBox().fill('');
  await userEvent.keyboard('{ArrowUp}');
  await userEvent.keyboard(' How are you?');
  await openCarla();
  await expect.element(mark).toBeInTheDocument();
  await chatRowOf('Bob').click();
  await expect.element(messageBox()).toHaveValue('Hello Bob! How are you?');
  await expect.element(page.getByText(t('composer.editing'))).toBeVisible();
  await expect.poll(readPageStorage).toContain('How are you?');
  await reload();
  await expect.element(messageBox()).toHaveValue('Hello Bob! How are you?');
  await expect.element(messageBox()).toHaveFocus();
  await userEvent.keyboard(' And the others?{Enter}');
  await expect.element(messageBox()).toHaveValue('');
  const edited = 'Hello Bob! How are you? And the others?';
  await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual([edited]);
  await openCarla();
  await expect.element(mark).not.toBeInTheDocument();
});

test('Enter in an emptied edit asks whether to delete the message, and in too long a text says so', async () => {
  const { server, room } = await openChatOf('Alice');
  await messageBox().click();
  await userEvent.keyboard('{ArrowUp}');
  await messageBox().fill('a'.repeat(LIMITS.messageMax + 2));
  await userEvent.keyboard('{Enter}');
  await closeToast(t('composer.tooLong_other', { count: 2 }));
  await messageBox().fill('');
  await messageBox().click();
  await userEvent.keyboard('{Enter}');
  const confirmation = page.getByRole('alertdialog');
  await press(confirmation.getByRole('button', { name: t('app.cancel') }));
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(page.getByText(t('composer.editing'))).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await press(confirmation.getByRole('button', { name: t('app.delete') }));
  await expect.element(messageWith('Hello Bob!')).not.toBeInTheDocument();
  await expect.element(page.getByText(t('composer.editing'))).not.toBeInTheDocument();
  await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual([]);
});

test('the text of an edit becomes a part of the draft when the message is deleted elsewhere', async () => {
  const { server, room } = await openChatOf('Alice');
  const [message] = await messagesSeenBy(server, 'Alice', room);
  await messageBox().fill('A draft');
  await press(
    messageRow(messageWith('Hello Bob!')).getByRole('button', { name: t('message.edit') }),
  );
  await messageBox().fill('Hello Bob, dear!');
  const body = { messageId: message?._id ?? '' };
  await actAs(server, 'Alice').call('deleteMessage', { body });
  await closeToast(t('composer.editedMessageDeleted'));
  await expect.element(messageBox()).toHaveValue('A draft\nHello Bob, dear!');
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

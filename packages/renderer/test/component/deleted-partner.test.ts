import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';

/** Returns the color of the design token for dangers. */
function dangerColor(): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--danger)';
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a partner who deletes the account is immediately shown as deleted (${language})`, async () => {
    const { server, room, reload } = await openChatOf('Bob', { language });
    await sendTextAs(server, 'Bob', room, 'Are you there?');
    await expect.element(messageWith('Are you there?')).toBeVisible();
    await actAs(server, 'Alice').call('deleteAccount');
    const heading = page.getByRole('heading', { level: 1 });
    await expect.element(heading).toHaveTextContent(t('room.deletedName'));
    const note = page.getByText(t('room.partnerDeletedNote'));
    await expect.element(note).toBeVisible();
    await expect.element(messageWith('Hello Bob!')).not.toBeInTheDocument();
    await expect.element(messageWith('Are you there?')).toBeVisible();
    // An edit would be refused.
    const edit = page.getByRole('button', { name: t('message.edit') });
    await expect.element(edit).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: t('message.delete') })).toBeVisible();

    // The notice appears only once, although both the name and the preview could show it.
    const notice = page.getByCss('[data-chat]').getByText(t('chatList.deletedAccount'));
    await expect.element(notice).toBeVisible();
    expect(notice.elements()).toHaveLength(1);
    expect(getComputedStyle(notice.element()).color).toBe(dangerColor());
    await expect.element(chatRowOf('Alice')).not.toBeInTheDocument();

    // The composer shows the reason and disables everything but text.
    const reason = t('room.partnerDeletedNote');
    await expect.element(messageBox()).toHaveAccessibleDescription(reason);
    for (const name of [t('composer.image'), t('composer.record')]) {
      await expect.element(page.getByRole('button', { name, exact: true })).toBeDisabled();
    }
    await reload();
    await expect.element(messageWith('Are you there?')).toBeVisible();
    await expect.element(messageBox()).not.toHaveFocus();

    await messageBox().fill('One more thing');
    await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
    const corner = page.getByCss('.Toastify__toast-container--bottom-center');
    await expect.element(corner.getByText(t('room.partnerDeleted'))).toBeVisible();
    await expect.element(messageBox()).toHaveValue('');
  });

  test(`the other device of a user who deletes the account shows it (${language})`, async () => {
    const server = createServerWith(['Alice'], language);
    await openApp({ server, user: 'Alice', language });
    await actAs(server, 'Alice').call('deleteAccount');
    await expect.element(page.getByText(t('deletedAccount.title'))).toBeVisible();
  });
}

test('Enter clears an unfinished edit of a message to a partner who is deleted', async () => {
  const t = createTranslator('en');
  const { server, reload } = await openChatOf('Alice');
  await messageBox().fill('A draft');
  await page.getByRole('button', { name: t('message.edit') }).click();
  await messageBox().fill('Hello Bob, dear!');
  await expect.poll(readPageStorage).toContain('dear');
  await actAs(server, 'Bob').call('deleteAccount');
  await expect.element(page.getByText(t('room.partnerDeletedNote'))).toBeVisible();
  await userEvent.click(messageBox());
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(t('room.partnerDeleted'))).toBeVisible();
  await expect.element(messageBox()).toHaveValue('');
  await reload();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await expect.element(messageBox()).toHaveValue('');
});

test('a deleted account keeps what it told of messages, and tells nothing more', async () => {
  const t = createTranslator('en');
  const { server, room, reload } = await openChatOf('Bob');
  const alice = actAs(server, 'Alice');
  await sendTextAs(server, 'Bob', room, 'A first one');
  await alice.call('markAsRead', { params: { id: room } });
  await sendTextAs(server, 'Bob', room, 'A second one');
  await alice.call('reportDelivered', { body: { rooms: { [room]: 3 } } });
  await sendTextAs(server, 'Bob', room, 'A third one');
  const expectTicks = async (text: string, delivery: 'sent' | 'delivered' | 'read') => {
    const ticks = messageWith(text).getByCss('[data-delivery]');
    await expect.element(ticks).toHaveAttribute('data-delivery', delivery);
  };
  const expectAll = async () => {
    await expectTicks('A first one', 'read');
    await expectTicks('A second one', 'delivered');
    await expectTicks('A third one', 'sent');
  };
  await expectAll();
  await expect.element(chatRowOf('Alice').getByCss('[data-delivery]')).toBeInTheDocument();
  await alice.call('deleteAccount');
  const row = chatRowOf(t('chatList.deletedAccount'));
  await expect.element(row).toBeVisible();
  await expectAll();
  await expect.element(row.getByCss('[data-delivery]')).not.toBeInTheDocument();
  await reload();
  await expectAll();
  await expect.element(row).toBeVisible();
  await expect.element(row.getByCss('[data-delivery]')).not.toBeInTheDocument();
});

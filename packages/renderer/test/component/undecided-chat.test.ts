import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';
import { pressWithKeys } from './support/reach-with-keys.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const bar = page.getByRole('region', { name: t('request.undecidedLabel') });
  const button = (key: string) => bar.getByRole('button', { name: t(`request.${key}`) });

  test(`a first message is a chat like any other, and answering it accepts (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    await openApp({ server, user: 'Bob', language });
    const room = await createChatBetween(server, ['Alice', 'Bob'], 'Hello 🚀', {
      isUndecided: true,
    });
    const row = chatRowOf('Alice');
    await expect.element(row).toMatchTextContent('Hello 🚀');
    await sendMediaAs(server, 'Alice', room, await createImageFile(60, 40));
    await expect.element(row).toMatchTextContent(t('chatList.unread_other', { count: 2 }));
    await expect.element(row).toMatchTextContent(t('chatList.sentImage'));
    await expect.element(row).not.toMatchTextContent(t('requests.row'));
    await expect
      .poll(() => document.title)
      .toBe(
        t('app.unreadTitle', { count: 2, title: t('app.pageTitle', { page: t('frame.chats') }) }),
      );

    await row.click();
    await expect.element(messageWith('Hello 🚀')).toBeVisible();
    await expect.element(page.getByCss('[data-message] img')).toHaveProperty('naturalWidth', 60);
    await expect.element(bar).toMatchTextContent(t('request.undecided', { name: 'Alice' }));
    for (const key of ['accept', 'block', 'report']) {
      await expect.element(button(key)).toBeVisible();
    }
    await messageBox().fill('Hi Alice');
    await userEvent.keyboard('{Enter}');
    await expect.element(messageWith('Hi Alice')).toHaveAttribute('data-state', 'sent');
    await expect.element(bar).not.toBeInTheDocument();
    const { chatrooms } = await actAs(server, 'Bob').call('listChats');
    expect(chatrooms[0]?.status).toBe('accepted');
  });

  test(`a partner who has written first is accepted, reported or blocked with the keyboard (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob'], undefined, {
      isUndecided: true,
    });
    await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}`, language });
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
    await pressWithKeys(button('report'));
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('report')).toHaveFocus();
    await pressWithKeys(button('block'));
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('block')).toHaveFocus();
    await pressWithKeys(button('accept'));
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
  });

  test(`the sender of a quiet request reads so until the partner accepts (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob'], undefined, { isRequest: true });
    const params = { id: room };
    await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, language });
    const note = page.getByText(t('request.sent', { name: 'Bob' }));
    await expect.element(note).toBeVisible();
    await actAs(server, 'Bob').call('declineRequest', { params });
    await messageBox().fill('Are you there?');
    await userEvent.keyboard('{Enter}');
    await expect.element(messageWith('Are you there?')).toHaveAttribute('data-state', 'sent');
    await expect.element(note).toBeVisible();
    await actAs(server, 'Bob').call('acceptChat', { params });
    await expect.element(note).not.toBeInTheDocument();
  });

  test(`searching for a user who has written first opens and accepts the chat (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob', 'Carla'], language);
    const undecided = { isUndecided: true };
    const known = await createChatBetween(server, ['Carla', 'Bob'], 'From Carla', undecided);
    const request = await createChatBetween(server, ['Alice', 'Bob'], 'From Alice', {
      isRequest: true,
    });
    await openApp({ server, user: 'Bob', path: '/chatarea/exist', language });
    const search = async (name: string) => {
      await page.getByLabelText(t('findUser.username'), { exact: true }).fill(name);
      await userEvent.keyboard('{Enter}');
    };
    await search('alice');
    await expectPath(`/chatarea/chats/${request}`);
    await expect.element(messageWith('From Alice')).toBeVisible();
    await expect
      .element(page.getByRole('button', { name: t('request.accept') }))
      .not.toBeInTheDocument();
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    await search('carla');
    await closeToast(t('findUser.already', { name: 'Carla' }));
    await expectPath(`/chatarea/chats/${known}`);
    await expect.element(bar).not.toBeInTheDocument();
    await expect
      .element(toastWith(t('findUser.already', { name: 'Alice' })))
      .not.toBeInTheDocument();
  });
}

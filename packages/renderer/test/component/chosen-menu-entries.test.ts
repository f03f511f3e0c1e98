import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, contentsSeenBy, messagesSeenBy } from './support/act-as.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { expectMenuEntries } from './support/expect-menu-entries.ts';
import { menuItem, messageMenu, openMessageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const hello = () => messageWith('Hello Bob!');

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the partner's text can be copied, and the menu leaves the focus in the text box (${language})`, async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => writeText.mockRestore());
    await openChatOf('Bob', { language });
    await openMessageMenu(hello());
    expectMenuEntries(t, ['reply', 'copyText', 'copyLink', 'forward', 'select', 'details']);
    await menuItem(t('message.copyText')).click();
    await expect.element(toastWith(t('message.copied'))).toBeVisible();
    expect(writeText.mock.calls).toEqual([['Hello Bob!']]);
    await expect.element(messageMenu).not.toBeInTheDocument();

    await messageBox().fill('A draft');
    await openMessageMenu(hello());
    await userEvent.keyboard('{Escape}');
    await expect.element(messageMenu).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.element(messageBox()).toHaveValue('A draft');
  });

  test(`the user's own text can be edited and deleted (${language})`, async () => {
    const { server, room } = await openChatOf('Alice', { language });
    await openMessageMenu(hello());
    expectMenuEntries(t, [
      'reply',
      'copyText',
      'copyLink',
      'forward',
      'select',
      'edit',
      'delete',
      'details',
    ]);
    await menuItem(t('message.edit')).click();
    await expect.element(messageBox()).toHaveFocus();
    await expect.element(messageBox()).toHaveValue('Hello Bob!');
    await messageBox().fill('Hello, Bob.');
    await userEvent.keyboard('{Enter}');
    const edited = messageWith('Hello, Bob.');
    await expect.element(edited).toMatchTextContent(t('message.updated'));
    await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual(['Hello, Bob.']);

    await openMessageMenu(edited);
    await menuItem(t('message.delete')).click();
    const dialog = page.getByRole('alertdialog');
    await expect.element(dialog.getByRole('button', { name: t('app.cancel') })).toHaveFocus();
    await dialog.getByRole('button', { name: t('app.delete') }).click();
    await expect.element(page.getByCss('[data-message]')).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.poll(() => contentsSeenBy(server, 'Bob', room)).toEqual([]);
  });

  test(`the details of an edited message show when it was sent and edited (${language})`, async () => {
    const { server, room } = await openChatOf('Bob', { language });
    const [first] = await messagesSeenBy(server, 'Alice', room);
    const body = { messageId: first?._id ?? '', content: 'Hello, Bob.' };
    await actAs(server, 'Alice').call('editMessage', { body });
    const edited = messageWith('Hello, Bob.');
    await expect.element(edited).toMatchTextContent(t('message.updated'));
    await openMessageMenu(edited);
    await menuItem(t('message.details')).click();
    const dialog = page.getByRole('dialog', { name: t('message.detailsTitle') });
    await expect.element(dialog).toBeVisible();
    const textsOf = (role: 'term' | 'definition') =>
      dialog
        .getByRole(role)
        .elements()
        .map(({ textContent }) => textContent);
    expect(textsOf('term')).toEqual([t('message.sentAt'), t('message.editedAt')]);
    const time = language === 'en' ? /\d{1,2}:\d{2}\s[AP]M$/ : /\d{2}:\d{2}$/;
    const isTime = expect.stringMatching(time) as string;
    expect(textsOf('definition')).toEqual([isTime, isTime]);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
  });
}

test('images and recordings can be saved with the menu', async () => {
  const t = createTranslator('en');
  await openChatOf('Bob', {}, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(80, 60));
    await sendMediaAs(server, 'Alice', room, createRecordingFile(1));
  });
  const messages = page.getByCss('[data-message]');
  await expect.element(messages.getByCss('img[data-state="ready"]')).toBeVisible();
  const saved: string[] = [];
  const handleClick = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest('a');
    if (!link) return;
    // The download would leave the page.
    event.preventDefault();
    expect(link.getAttribute('href')).toContain(link.download);
    saved.push(link.download);
  };
  addEventListener('click', handleClick);
  onTestFinished(() => removeEventListener('click', handleClick));
  for (const [index, key] of [
    [1, 'saveImage'],
    [2, 'saveRecording'],
  ] as const) {
    await openMessageMenu(messages.nth(index));
    expectMenuEntries(t, ['reply', key, 'copyLink', 'forward', 'select', 'details']);
    await menuItem(t(`message.${key}`)).click();
    await expect.element(messageMenu).not.toBeInTheDocument();
  }
  expect(saved).toEqual([
    expect.stringMatching(/^[\w-]+\.png$/),
    expect.stringMatching(/^[\w-]+\.wav$/),
  ]);
});

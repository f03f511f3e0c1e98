import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { messageMenu, messageRow, openMessageMenu } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const hello = () => messageRow(messageWith('Hello Bob!'));
const own = () => messageRow(messageWith('Are you there?'));

/** Opens Bob's chatroom with a message of Alice and one of his. */
async function openMessages(language: 'en' | 'de' = 'en'): Promise<ShownChat> {
  const chat = await openChatOf('Bob', { language }, async (server, room) => {
    await sendTextAs(server, 'Bob', room, 'Are you there?');
  });
  await expect.element(own()).toBeVisible();
  return chat;
}

/** Moves the focus from the message box to the newest message with Shift+Tab. */
async function reachNewest(): Promise<void> {
  await messageBox().click();
  await reachWithKeys(own(), BACKWARDS);
}

test('letters reply to, edit, copy and forward a message that was reached with the keyboard', async () => {
  await openMessages();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await reachNewest();
  await userEvent.keyboard('c');
  await expect.element(toastWith(t('message.copied'))).toBeVisible();
  expect(writeText).toHaveBeenCalledExactlyOnceWith('Are you there?');
  await userEvent.keyboard('f');
  const dialog = page.getByRole('dialog', { name: t('forward.title') });
  await expect.element(dialog.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(own()).toHaveFocus();
  await userEvent.keyboard('e');
  await expect.element(messageBox()).toHaveValue('Are you there?');
  await expect.element(messageBox()).toHaveFocus();
  await userEvent.keyboard('{Escape}');

  await reachNewest();
  // What cannot be done with the message does nothing, instead of writing.
  await userEvent.keyboard('{ArrowUp}e');
  await nextFrames();
  await expect.element(hello()).toHaveFocus();
  await userEvent.keyboard('r');
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(messageBox()).toHaveValue('');
  const cancel = page.getByRole('button', { name: t('reply.cancel') });
  await expect.element(cancel).toBeVisible();
});

test('a menu that a key opened leaves the letters to the message, and other letters are written', async () => {
  await openMessages();
  await reachNewest();
  await userEvent.keyboard('{Shift>}{F10}{/Shift}');
  await expect.element(messageMenu).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(messageMenu).not.toBeInTheDocument();
  await expect.element(own()).toHaveFocus();
  await userEvent.keyboard('e');
  await expect.element(messageBox()).toHaveValue('Are you there?');
  await userEvent.keyboard('{Escape}');
  await reachNewest();
  await userEvent.keyboard('{Shift>}R{/Shift}e');
  await expect.element(messageBox()).toHaveValue('Re');
});

test('letters are written after a click on the message or a menu that a right click opened', async () => {
  await openMessages();
  await reachNewest();
  await own().click();
  await userEvent.keyboard('e');
  await expect.element(messageBox()).toHaveValue('e');
  await messageBox().fill('');
  await reachNewest();
  await openMessageMenu(messageWith('Are you there?'));
  await userEvent.keyboard('{ArrowDown}{Escape}');
  await userEvent.keyboard('re');
  await expect.element(messageBox()).toHaveValue('re');
});

test('letters are written after the viewer that a key opened', async () => {
  const { server, room } = await openMessages();
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  const { openers, dialog } = findImageViewer();
  await expect.element(openers).toBeVisible();
  await messageBox().click();
  await reachWithKeys(messageRow(openers), BACKWARDS);
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('re');
  await expect.element(messageBox()).toHaveValue('re');
});

for (const language of TEST_LANGUAGES) {
  const translate = createTranslator(language);

  test(`letter shortcuts are turned off on this device in the settings, and the help omits them (${language})`, async () => {
    const { path, reload } = await openMessages(language);
    const help = page.getByRole('dialog', { name: translate('shortcuts.title') });
    await reachNewest();
    await userEvent.keyboard('?');
    await expect.element(help.getByText(translate('shortcuts.letters'))).toBeVisible();
    await expect.element(help.getByText('?', { exact: true })).toBeVisible();

    await reload('/settings');
    const setting = page.getByRole('checkbox', { name: translate('settings.letterShortcuts') });
    await expect.element(setting).toBeChecked();
    await setting.click();
    await expect.element(setting).not.toBeChecked();
    await expectNoAxeViolations('the settings');
    await userEvent.keyboard('?');
    await nextFrames();
    await expect.element(help).not.toBeInTheDocument();

    await reload(path);
    await expect.element(own()).toBeVisible();
    await reachNewest();
    await userEvent.keyboard('e?');
    await expect.element(messageBox()).toHaveValue('e?');
    // An arrow is no letter.
    await reachNewest();
    await userEvent.keyboard('{ArrowRight}');
    const cancel = page.getByRole('button', { name: translate('reply.cancel') });
    await expect.element(cancel).toBeVisible();
    await expect.element(messageBox()).toHaveFocus();
    await page.getByRole('button', { name: translate('frame.menu', { name: 'Bob' }) }).click();
    await page.getByRole('menuitem', { name: translate('shortcuts.title') }).click();
    await expect.element(help.getByText(translate('shortcuts.send'))).toBeVisible();
    await expect.element(help.getByText(translate('shortcuts.letters'))).not.toBeInTheDocument();
    await expect.element(help.getByText('?', { exact: true })).not.toBeInTheDocument();
  });
}

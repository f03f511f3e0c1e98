import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createServerWith, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, messageMenu, messageRow, openMessageMenu } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const hello = () => messageWith('Hello Bob!');
const play = page.getByRole('button', { name: t('audio.play') });
const menuButton = page.getByRole('button', { name: t('room.menu') });

/** Opens Bob's chatroom with a text, a recording and an image of Alice. */
async function openMessages() {
  const chat = await openChatOf('Bob', {}, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, createRecordingFile(2));
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  });
  await expect.element(findImageViewer().openers).toBeVisible();
  return chat;
}

/** Takes the focus from everything. */
function blur(): void {
  (document.activeElement as HTMLElement).blur();
  expect(document.activeElement).toBe(document.body);
}

/** Types a word and expects it at the end of the message box, which is emptied then. */
async function expectTyped(word: string): Promise<void> {
  await userEvent.keyboard(word);
  await expect.element(messageBox()).toHaveValue(word);
  await expect.element(messageBox()).toHaveFocus();
  await messageBox().fill('');
}

/** Presses a key without what the browser would write. */
function pressOnly(key: string, options: KeyboardEventInit = {}): void {
  const init = { key, bubbles: true, cancelable: true, ...options };
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
}

test('what is typed after the viewer, a menu, Play, a click or a selection is written into the message box', async () => {
  await openMessages();
  blur();
  await expectTyped('hi');
  await hello().click();
  await expectTyped('every');
  await page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) }).click();
  await expectTyped('reply');

  const { openers, dialog } = findImageViewer();
  await openers.click();
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('e');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expectTyped('so');

  await openMessageMenu(hello());
  await userEvent.keyboard('{ArrowDown}{Escape}');
  await expectTyped('every');
  await menuButton.click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expectTyped('hm');

  await play.click();
  await expectTyped('oh');
  await userEvent.dblClick(hello().getByText('Hello', { exact: false }).first());
  expect(getSelection()?.toString()).not.toBe('');
  await expectTyped('why?');
});

test('what is typed continues the draft where the cursor was, and Shift belongs to it', async () => {
  await openMessages();
  await messageBox().fill('One three');
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  await hello().click();
  await userEvent.keyboard('{Shift>}T{/Shift}wo ');
  await expect.element(messageBox()).toHaveValue('One Two three');
});

test('dead keys, AltGr and input methods begin in the message box', async () => {
  await openMessages();
  for (const [key, options] of [
    ['Dead', {}],
    ['@', { ctrlKey: true, altKey: true, modifierAltGraph: true }],
    ['Process', { keyCode: 229 }],
  ] as const) {
    blur();
    pressOnly(key, options);
    await expect.element(messageBox()).toHaveFocus();
  }
});

test('shortcuts of the browser and keys that write nothing leave the focus alone', async () => {
  await openMessages();
  blur();
  pressOnly('c', { ctrlKey: true });
  pressOnly('c', { metaKey: true });
  pressOnly('f', { altKey: true });
  pressOnly('F5');
  pressOnly('PageUp');
  pressOnly('Shift');
  await nextFrames();
  expect(document.activeElement).toBe(document.body);
});

test('Space presses the focused button, and letters on it go to the message box', async () => {
  await openMessages();
  focusOn(play);
  await userEvent.keyboard(' ');
  const pause = page.getByRole('button', { name: t('audio.pause') });
  await expect.element(pause).toHaveFocus();
  await expect.element(messageBox()).toHaveValue('');
  await expectTyped('and');
});

test('fields, menus and dialogs keep what is typed there', async () => {
  await openMessages();
  const search = page.getByRole('searchbox', { name: t('search.label') });
  await search.click();
  await userEvent.keyboard('hello');
  pressOnly('a', { isComposing: true });
  await expect.element(search).toHaveFocus();
  await expect.element(search).toHaveValue('hello');
  await userEvent.keyboard('{Escape}');

  await openMessageMenu(hello());
  await userEvent.keyboard('d');
  await expect.element(menuItem(t('message.details'))).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const details = page.getByRole('dialog', { name: t('message.detailsTitle') });
  await expect.element(details).toBeVisible();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await userEvent.keyboard('x');
  await nextFrames();
  expect(details.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(details).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveValue('');
});

test('a chat of the list that was reached with the keyboard keeps its keys, but not one that was clicked', async () => {
  await openMessages();
  const row = chatRowOf('Alice');
  await reachWithKeys(row);
  await userEvent.keyboard('x');
  await nextFrames();
  await expect.element(row).toHaveFocus();
  await expect.element(messageBox()).toHaveValue('');
  await page.getByRole('button', { name: t('frame.menu', { name: 'Bob' }) }).click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  await page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) }).click();
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expectTyped('hello');
});

test('text and images that are pasted outside fields go to the message box', async () => {
  const { server, room } = await openMessages();
  await sendTextAs(server, 'Alice', room, 'Send me a picture');
  await messageWith('Send me a picture').click();
  const paste = (fill: (clipboard: DataTransfer) => void) => {
    const clipboardData = new DataTransfer();
    fill(clipboardData);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  };
  paste((clipboard) => clipboard.setData('text/plain', 'A pasted line'));
  await expect.element(messageBox()).toHaveValue('A pasted line');
  await expect.element(messageBox()).toHaveFocus();

  blur();
  const file = await createImageFile(30, 20, 'pasted.png');
  paste((clipboard) => clipboard.items.add(file));
  await expect.element(page.getByRole('list', { name: t('composer.images') })).toBeVisible();
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(messageBox()).toHaveValue('A pasted line');

  await openMessageMenu(hello());
  paste((clipboard) => clipboard.setData('text/plain', ' and more'));
  await nextFrames();
  await expect.element(messageMenu).toBeVisible();
  await expect.element(messageBox()).toHaveValue('A pasted line');
});

test('typing anywhere writes a first message, too', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', path: '/chatarea/chats/new-chatroom/Bob' });
  await expect.element(messageBox()).toHaveFocus();
  await page.getByRole('heading', { level: 1 }).click();
  await expectTyped('hello');
});

test('a message that was reached with the keyboard scrolls with Space', async () => {
  await openMessages();
  const row = messageRow(findImageViewer().openers);
  await reachWithKeys(row, BACKWARDS);
  await userEvent.keyboard(' ');
  await nextFrames();
  await expect.element(row).toHaveFocus();
  await expect.element(messageBox()).toHaveValue('');
});

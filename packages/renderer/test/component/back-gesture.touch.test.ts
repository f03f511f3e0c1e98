import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { holdFinger } from './support/pointer-input.ts';
import { expectPath } from './support/expect-path.ts';
import { waitForLayers } from './support/wait-for-layers.ts';

const t = createTranslator('en');

const dialog = page.getByRole('dialog');
const confirmation = page.getByRole('alertdialog');

/** Opens Alice's chatroom with Bob from the chat list on a phone. Returns the path of the chatroom. */
async function openFromList({ hasImage = false } = {}): Promise<string> {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  if (hasImage) await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await openApp({ server, user: 'Alice', viewport: { width: 360, height: 740 } });
  await press(chatRowOf('Bob'));
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  return `/chatarea/chats/${room}`;
}

/** Clicks without a finger, which a busy machine could hold for as long as a long press. */
async function press(target: Locator): Promise<void> {
  await expect.element(target).toBeVisible();
  (target.element() as HTMLElement).click();
}

const pressButton = (name: string) => press(page.getByRole('button', { name, exact: true }));

async function openMenuOf(text: string): Promise<void> {
  const release = await holdFinger(messageWith(text));
  await expect.element(messageMenu).toBeVisible();
  await release();
}

test('going back closes menus and dialogs, and then leaves the chatroom', async () => {
  const room = await openFromList();
  // The menu of the chatroom.
  await pressButton(t('room.menu'));
  await expect.element(messageMenu).toBeVisible();
  await waitForLayers(1);
  history.back();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await expectPath(room);

  // The menu of a message, and a dialog that it opens.
  await openMenuOf('Hello Bob!');
  await waitForLayers(1);
  history.back();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await openMenuOf('Hello Bob!');
  await press(page.getByRole('menuitem', { name: t('message.details') }));
  await expect.element(dialog).toBeVisible();
  await waitForLayers(1);
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await expectPath(room);

  // What was closed otherwise leaves nothing behind.
  await pressButton(t('room.menu'));
  await press(page.getByRole('menuitem', { name: t('room.block') }));
  await expect.element(confirmation).toBeVisible();
  await waitForLayers(1);
  await press(confirmation.getByRole('button', { name: t('app.cancel') }));
  await expect.element(confirmation).not.toBeInTheDocument();
  await waitForLayers(0);
  history.back();
  await expectPath('/chatarea');
});

test('going back closes the image viewer, and leaves an edit unfinished with the chatroom', async () => {
  const room = await openFromList({ hasImage: true });
  const { openers, dialog: viewer } = findImageViewer();
  await press(openers.first());
  await expect.element(viewer).toBeVisible();
  history.back();
  await expect.element(viewer).not.toBeInTheDocument();
  await expectPath(room);

  await openMenuOf('Hello Bob!');
  await press(page.getByRole('menuitem', { name: t('message.edit') }));
  await messageBox().fill('Hello Bob, dear!');
  await waitForLayers(0);
  history.back();
  await expectPath('/chatarea');
  await press(chatRowOf('Bob'));
  await expect.element(messageBox()).toHaveValue('Hello Bob, dear!');
  await expect.element(messageBox()).not.toHaveFocus();
});

test('going back closes the search in a chatroom, after the calendar and an image above it', async () => {
  const room = await openFromList({ hasImage: true });
  await pressButton(t('roomSearch.title'));
  const bar = page.getByCss(`search[aria-label="${t('roomSearch.title')}"]`);
  await expect.element(bar).toBeVisible();
  await waitForLayers(1);
  await press(bar.getByRole('button', { name: t('search.before'), exact: true }));
  await expect.element(dialog).toBeVisible();
  await waitForLayers(2);
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await waitForLayers(1);
  const { openers, dialog: viewer } = findImageViewer();
  await press(openers.first());
  await expect.element(viewer).toBeVisible();
  history.back();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(bar).toBeVisible();
  await waitForLayers(1);
  history.back();
  await expect.element(bar).not.toBeInTheDocument();
  await expectPath(room);
  await waitForLayers(0);
  history.back();
  await expectPath('/chatarea');
});

test('going back closes the search in the chat list, also after a result was open', async () => {
  const room = await openFromList();
  history.back();
  await expectPath('/chatarea');
  const field = page.getByRole('searchbox');
  const results = page.getByCss('[data-result]');
  await field.fill('hello');
  await expect.poll(() => results.elements()).toHaveLength(1);
  await waitForLayers(1);
  await press(results);
  await expectPath(room);
  // The entry of the search is removed with the list.
  await expect.element(field).not.toBeInTheDocument();
  await waitForLayers(0);
  history.back();
  await expectPath('/chatarea');
  await expect.element(field).toHaveValue('hello');
  await waitForLayers(1);
  history.back();
  await expect.element(field).toHaveValue('');
  await expect.element(results).not.toBeInTheDocument();
  const filters = page.getByRole('group', { name: t('search.filters') });
  await expect.element(filters).not.toBeInTheDocument();
  await expectPath('/chatarea');
  await waitForLayers(0);
});

test('going back while recording asks before anything is discarded', async () => {
  const room = await openFromList();
  const recorder = page.getByRole('region', { name: t('recorder.title') });
  await pressButton(t('composer.record'));
  await expect.element(recorder.getByText(/^0:0[1-9]$/)).toBeVisible();
  await waitForLayers(1);
  history.back();
  await expect.element(confirmation).toMatchTextContent(t('recordingLeft.title'));
  await expectPath(room);
  await press(confirmation.getByRole('button', { name: t('recordingLeft.keep') }));
  await expect.element(recorder.getByRole('button', { name: t('recorder.resume') })).toBeVisible();
  await expect.element(confirmation).not.toBeInTheDocument();
  await waitForLayers(1);

  history.back();
  await expect.element(confirmation).toBeVisible();
  await waitForLayers(1);
  history.back();
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(recorder).toBeVisible();
  await waitForLayers(1);
  history.back();
  await press(confirmation.getByRole('button', { name: t('recorder.discard') }));
  await expect.element(recorder).not.toBeInTheDocument();
  await waitForLayers(0);
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  history.back();
  await expectPath('/chatarea');
});

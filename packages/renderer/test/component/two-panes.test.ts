import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('windows of at least 1024 pixels have two panes, narrower ones have one', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const path = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  const viewport = { width: 1024, height: 700 };
  const { reload } = await openApp({ server, user: 'Alice', path, viewport });
  const list = page.getByRole('navigation', { name: t('chatList.title') });
  const open = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
  await expect.element(list).toBeVisible();
  await expect.element(open).toBeVisible();
  const left = list.element().getBoundingClientRect();
  expect(left.right).toBeLessThanOrEqual(open.element().getBoundingClientRect().left + 1);

  await page.viewport(1023, 700);
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(open).toBeVisible();
  await page.getByRole('link', { name: t('room.back') }).click();
  await expect.element(list).toBeVisible();
  await expect.element(open).not.toBeInTheDocument();
  await page.viewport(1024, 700);
  await expect.element(page.getByText(t('frame.chooseChat'), { exact: true })).toBeVisible();
  await expect.element(list).toBeVisible();
  await page.getByRole('button', { name: t('frame.invite') }).click();
  const dialog = page.getByRole('dialog', { name: t('frame.invite') });
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await reload(path);
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await expect.element(list).toBeVisible();
});

test('an open image stays open when the window becomes wide or narrow, as a tablet that is turned', async () => {
  const viewport = { width: 768, height: 1_000 };
  await openChatOf('Bob', { viewport }, async (server, room) =>
    sendMediaAs(server, 'Alice', room, await createImageFile(300, 200)),
  );
  const { openers, dialog, image } = findImageViewer();
  await messageBox().fill('half a sentence');
  await openers.click();
  await expect.element(image).toBeVisible();
  const row = page.getByCss('[data-chat]');
  await page.viewport(1_024, 768);
  await expect.element(row).toBeInTheDocument();
  await expect.element(image).toBeVisible();
  await page.viewport(768, 1_000);
  await expect.element(row).not.toBeInTheDocument();
  await expect.element(image).toBeVisible();
  await dialog.getByRole('button', { name: t('lightbox.close') }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveValue('half a sentence');
});

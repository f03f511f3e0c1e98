import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { chatRowOf } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';
import { tap } from './support/tap.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

test('going back closes an open image and stays in its chatroom', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await openApp({ server, user: 'Bob', viewport: { width: 360, height: 740 } });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  await tap(chatRowOf('Alice'));
  const { openers, dialog } = findImageViewer();
  await openers.dblClick();
  await expect.element(dialog).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(openers).toBeVisible();
  history.forward();
  const close = dialog.getByRole('button', { name: t('lightbox.close') });
  await expect.element(close).toBeVisible();
  await tap(close);
  await expect.element(dialog).not.toBeInTheDocument();
  await tap(openers);
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(location.pathname).toBe(`/chatarea/chats/${room}`);
  history.back();
  await expectPath('/chatarea');
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, sendTextAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');

test('the failure of an image is shown after the user has left its chatroom, and the image is kept', async () => {
  const { server } = await openChatOf('Alice', {}, async (memoryServer) => {
    await createChatBetween(memoryServer, ['Alice', 'Carla'], 'Hi Carla');
  });
  const held = Promise.withResolvers<void>();
  server.intercept('uploadImage', async () => {
    await held.promise;
    throw new TypeError('Failed to fetch');
  });
  pickFiles(await createImageFile(60, 40, 'kept.png'));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await chatRowOf('Carla').click();
  await expect.element(messageWith('Hi Carla')).toBeVisible();
  held.resolve();
  await closeToast(t('error.offline'));
  await chatRowOf('Bob').click();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  await expect.element(page.getByText('kept.png')).toBeVisible();
});

test('on a phone the unread button has two lines at most', async () => {
  const viewport = { width: 360, height: 740 };
  await openChatOf('Bob', { viewport, language: 'de' }, async (server, room) => {
    for (let i = 1; i <= 25; i += 1) await sendTextAs(server, 'Alice', room, `Zeile ${i}`);
  });
  const button = page.getByRole('button', { name: /^26 ungelesene Nachrichten/ });
  await expect.element(button).toBeVisible();
  expect(button.element().getBoundingClientRect().height).toBeLessThan(64);
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, messagesSeenBy, sendTextAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

/** Opens Alice's chatroom with Bob, beside that with Carla. Uploads are not answered before `release` is called. */
async function openTwoChats() {
  const app = await openChatOf('Alice', {}, async (server) => {
    await createChatBetween(server, ['Alice', 'Carla'], 'Hi Carla');
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const endpoint of ['uploadImage', 'uploadAudio'] as const) {
    app.server.intercept(endpoint, async (_, next) => {
      await promise;
      return next();
    });
  }
  return { ...app, release: resolve };
}

async function switchTo(partner: 'Bob' | 'Carla'): Promise<void> {
  await chatRowOf(partner).click();
  const text = partner === 'Bob' ? 'Hello Bob!' : 'Hi Carla';
  await expect.element(messageWith(text)).toBeVisible();
}

const uploading = page.getByText(/^Uploading, \d+%$/);

test('a chosen image stays in its chatroom and is sent even if the user leaves the chatroom', async () => {
  const { server, room, release } = await openTwoChats();
  const name = page.getByText('for-bob.png');
  pickFiles(await createImageFile(60, 40, 'for-bob.png'));
  await expect.element(name).toBeVisible();
  await switchTo('Carla');
  await expect.element(name).not.toBeInTheDocument();
  await switchTo('Bob');
  await expect.element(name).toBeVisible();

  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect.element(uploading).toBeVisible();
  await switchTo('Carla');
  release();
  await expect.poll(() => messagesSeenBy(server, 'Bob', room)).toHaveLength(2);
  await switchTo('Bob');
  const image = page.getByRole('button', { name: t('message.openImage'), exact: false });
  await expect.element(image).toBeVisible();
  await expect.element(name).not.toBeInTheDocument();
  expect(page.getByCss('[data-message]').elements()).toHaveLength(2);
});

test('a recording stays in its chatroom and is sent even if the user leaves the chatroom', async () => {
  const { server, room, release } = await openTwoChats();
  const bar = page.getByRole('region', { name: t('recorder.title') });
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  await switchTo('Carla');
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(messageBox()).toBeVisible();
  await switchTo('Bob');
  await expect.element(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();

  await bar.getByRole('button', { name: t('recorder.send'), exact: true }).click();
  const queue = page.getByRole('list', { name: t('recorder.title') });
  await expect.element(queue.getByText(/^Uploading, \d+%$/)).toBeVisible();
  await switchTo('Carla');
  release();
  await expect.poll(() => messagesSeenBy(server, 'Bob', room)).toHaveLength(2);
  await switchTo('Bob');
  const player = page.getByRole('button', { name: t('audio.play') });
  await expect.element(player).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(queue).not.toBeInTheDocument();
});

test('the failure of an image is shown after the user has left its chatroom, and the image is kept', async () => {
  const { server } = await openTwoChats();
  const held = Promise.withResolvers<void>();
  server.intercept('uploadImage', async () => {
    await held.promise;
    return noResponse();
  });
  pickFiles(await createImageFile(60, 40, 'kept.png'));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await switchTo('Carla');
  held.resolve();
  await closeToast(t('error.offline'));
  await switchTo('Bob');
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

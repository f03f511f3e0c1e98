import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, sendTextAs } from './support/act-as.ts';
import { expectPath } from './support/expect-path.ts';
import { holdRequests } from './support/hold-requests.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { noResponse } from './support/no-response.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');

const image = () => page.getByCss('[data-message] img');

/**
 * Opens Bob's chatroom at its newest message. Above it, out of sight, are an image and a recording. Collects the
 * requests of media.
 */
async function openLongChatroom() {
  const requested: string[] = [];
  const app = await openChatOf('Bob', {}, async (server, room) => {
    server.intercept('getMedia', (request, next) => {
      requested.push(request.url);
      return next();
    });
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
    await sendMediaAs(server, 'Alice', room, createRecordingFile(60));
    for (let i = 1; i <= 45; i += 1) await sendTextAs(server, 'Alice', room, `Line ${i}.`);
    await sendTextAs(server, 'Bob', room, 'Hello Bob!');
    await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  });
  const list = page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) });
  const scroll = (delta: number) => userEvent.wheel(list, { delta: { y: delta } });
  const scrollUp = () =>
    expect
      .poll(async () => {
        await scroll(-1_000);
        return list.element().scrollTop;
      })
      .toBe(0);
  const scrollDown = async () => {
    await expect
      .poll(async () => {
        await scroll(1_000);
        return image().elements();
      })
      .toEqual([]);
  };
  return { ...app, requested, scrollUp, scrollDown };
}

test('an image is loaded when it comes near, and not again after scrolling back or in the viewer', async () => {
  const { requested, scrollUp, scrollDown } = await openLongChatroom();
  await expect.element(messageWith('Line 45.')).toBeInViewport();
  expect(requested).toEqual([]);
  for (let i = 0; i < 3; i += 1) {
    await scrollUp();
    await expect.element(image()).toHaveAttribute('data-state', 'ready');
    await expect.element(image()).toHaveProperty('naturalWidth', 300);
    await scrollDown();
  }
  await scrollUp();
  const { openers, image: large } = findImageViewer();
  await openers.click();
  await expect.element(large).toHaveProperty('naturalWidth', 300);
  expect(requested).toHaveLength(1);
});

test('images that were sent from here are shown without loading them, also in the viewer', async () => {
  const requested: string[] = [];
  const { server } = await openChatOf('Alice');
  server.intercept('getMedia', (request, next) => {
    requested.push(request.url);
    return next();
  });
  const releaseSend = holdRequests(server, 'sendMessage');
  pickFiles(await createImageFile(300, 200), await createImageFile(200, 300));
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: '2' }) }).click();
  await expect.element(page.getByCss('progress')).not.toBeInTheDocument();
  const loaded = page.getByCss('[data-message] img[data-state="ready"]');
  await expect.poll(() => loaded.elements()).toHaveLength(2);
  const sources = loaded.elements().map((element) => element.getAttribute('src'));
  releaseSend();
  await expect.poll(() => page.getByCss('li[data-state="sent"]').elements()).toHaveLength(2);
  expect(loaded.elements().map((element) => element.getAttribute('src'))).toEqual(sources);
  const { openers, image: large } = findImageViewer();
  await openers.first().click();
  await expect.element(large).toHaveProperty('naturalWidth', 300);
  expect(requested).toEqual([]);
});

test('a recording is loaded when it is played, and not again when it is played later', async () => {
  const { requested, scrollUp, scrollDown } = await openLongChatroom();
  const button = (key: 'play' | 'pause') => page.getByRole('button', { name: t(`audio.${key}`) });
  for (let i = 0; i < 2; i += 1) {
    await scrollUp();
    await button('play').click();
    await expect.element(button('pause')).toBeVisible();
    await expect.poll(() => requested.filter((url) => url.endsWith('.wav'))).toHaveLength(1);
    await button('pause').click();
    await expect.element(button('play')).toBeVisible();
    await scrollDown();
  }
});

test('after a logout, nothing in the page refers to an image that was shown', async () => {
  const { scrollUp } = await openLongChatroom();
  await scrollUp();
  await expect.element(image()).toHaveAttribute('data-state', 'ready');
  const source = image().element().getAttribute('src') ?? '';
  expect(source).toMatch(/^blob:/);
  expect((await fetch(source)).ok).toBe(true);
  await page.getByRole('button', { name: t('frame.menu', { name: 'Bob' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await expectPath('/');
  await expect(fetch(source)).rejects.toThrow(TypeError);
});

test('the viewer says that an image cannot be loaded, and shows it after a reconnect', async () => {
  const { server, browser, room } = await openChatOf('Bob');
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await expect.element(image()).toHaveAttribute('data-state', 'ready');
  const restore = server.intercept('getMedia', noResponse);
  await sendMediaAs(server, 'Bob', room, await createImageFile(200, 300));
  await expect.element(page.getByText(t('message.imageBroken'))).toBeVisible();
  const { openers, dialog, image: large } = findImageViewer();
  await openers.click();
  await dialog.getByRole('button', { name: t('lightbox.next') }).click();
  await expect.element(dialog.getByText(t('message.imageBroken'))).toBeVisible();
  browser.setOnline(false);
  await expect.element(dialog.getByText(t('message.waiting'))).toBeVisible();
  restore();
  browser.setOnline(true);
  await expect.element(large).toHaveProperty('naturalWidth', 200);
});

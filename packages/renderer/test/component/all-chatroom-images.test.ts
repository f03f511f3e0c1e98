import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { holdRequests } from './support/hold-requests.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';

/** Number of images in the part of the chatroom that is not loaded when it opens. */
const OLDER = 34;

/** Opens Bob's chatroom: 34 older images with widths from 101, many texts, and an image that is 135 pixels wide. */
function openManyImages(language: 'en' | 'de' = 'en') {
  return openChatOf('Bob', { language, reducedMotion: true }, async (server, room) => {
    for (let index = 1; index <= OLDER; index += 1) {
      await sendMediaAs(server, 'Alice', room, await createImageFile(100 + index, 90));
      if (index % 2 === 0) await sendTextAs(server, 'Alice', room, `After image ${index}.`);
    }
    for (let index = 1; index <= 70; index += 1) {
      await sendTextAs(server, 'Alice', room, `Line ${index}.`);
    }
    await sendMediaAs(server, 'Alice', room, await createImageFile(101 + OLDER, 90));
    await sendTextAs(server, 'Alice', room, 'Hello Bob!');
    await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the viewer goes through all images of a chatroom and leads to their messages (${language})`, async () => {
    const { path } = await openManyImages(language);
    const { openers, dialog, image } = findImageViewer(language);
    const total = OLDER + 1;
    const expectPlace = (current: number) =>
      expect.element(dialog.getByText(t('lightbox.place', { current, total }))).toBeVisible();
    const showInChat = dialog.getByRole('button', { name: t('gallery.showInChat') });
    await expect.element(openers).toBeVisible();
    focusOn(openers);
    const box = messageBox().element();
    const composerTop = () => box.getBoundingClientRect().top;
    const top = composerTop();
    await userEvent.keyboard('{Enter}');
    await expectPlace(total);
    // The images that are loaded in advance take no space.
    await expect.poll(() => document.querySelectorAll('section > img').length).toBe(1);
    expect(composerTop()).toBe(top);
    await expect.element(image).toHaveProperty('naturalWidth', 101 + OLDER);
    // Its message is behind the viewer.
    await expect.element(showInChat).not.toBeInTheDocument();
    for (let current = total - 1; current >= 1; current -= 1) {
      await userEvent.keyboard('{ArrowLeft}');
      await expectPlace(current);
    }
    await expect.element(image).toHaveProperty('naturalWidth', 101);
    const previous = dialog.getByRole('button', { name: t('lightbox.previous') });
    await expect.element(previous).toHaveAttribute('aria-disabled', 'true');

    await showInChat.click();
    await expect.element(dialog).not.toBeInTheDocument();
    const oldest = page.getByRole('article').filter({ has: page.getByCss('[data-image]') });
    await expect.element(oldest.first()).toHaveFocus();
    await expect.poll(() => location.pathname).toContain(path);

    // From there, newer images are beyond the loaded messages.
    focusOn(openers.first());
    await userEvent.keyboard('{Enter}');
    await expectPlace(1);
    for (let current = 2; current <= total; current += 1) {
      await userEvent.keyboard('{ArrowRight}');
      await expectPlace(current);
    }
    await expect.element(image).toHaveProperty('naturalWidth', 101 + OLDER);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  });
}

const t = createTranslator('en');

test('the viewer says that older images are loading or cannot be loaded, and offers to retry', async () => {
  const { server } = await openManyImages();
  const { openers, dialog } = findImageViewer();
  const release = holdRequests(server, 'searchMessages');
  await openers.click();
  await expect.element(dialog.getByText(t('gallery.loading'))).toBeVisible();
  release();
  const place = (current: number) =>
    dialog.getByText(t('lightbox.place', { current, total: OLDER + 1 }));
  await expect.element(place(OLDER + 1)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();

  const fail = server.intercept('searchMessages', () => new Response(null, { status: 500 }));
  await openers.click();
  await expect.element(dialog.getByText(t('gallery.moreFailed'))).toBeVisible();
  fail();
  await dialog.getByRole('button', { name: t('app.retry') }).click();
  await expect.element(place(OLDER + 1)).toBeVisible();
});

test('an image that arrives counts, and one that is deleted does not', async () => {
  const { server, room } = await openManyImages();
  const { openers, dialog } = findImageViewer();
  const place = (current: number, total: number) =>
    dialog.getByText(t('lightbox.place', { current, total }));
  await openers.click();
  await expect.element(place(OLDER + 1, OLDER + 1)).toBeVisible();
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await expect.element(place(OLDER + 1, OLDER + 2)).toBeVisible();
  const { hits } = await actAs(server, 'Alice').call('searchMessages', {
    body: { chatroomId: room, kind: 'image', limit: 3 },
  });
  const before = hits[2]?.message._id ?? '';
  await actAs(server, 'Alice').call('deleteMessage', { body: { messageId: before } });
  await expect.element(place(OLDER, OLDER + 1)).toBeVisible();
  await expect.element(messageWith('Line 70.')).toBeInTheDocument();
});

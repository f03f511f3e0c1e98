import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf } from './support/locators.ts';
import {
  expectNoImageEntry,
  findImageViewer,
  openThreeImages,
} from './support/image-viewer-dialog.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { expectPath } from './support/expect-path.ts';
import { takePagePicture } from './support/page-picture.ts';

const NARROW = { width: 360, height: 740 };

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the image viewer shows the sender and the date, and the arrow keys switch images (${language})`, async () => {
    const { path, reload } = await openThreeImages({ language });
    // From the chat list, so that there is a page to go back to.
    await reload('/chatarea');
    await chatRowOf('Alice').click();
    const { openers, dialog, image, position } = findImageViewer(language);
    const previous = dialog.getByRole('button', { name: t('lightbox.previous') });
    const next = dialog.getByRole('button', { name: t('lightbox.next') });

    await expect.element(openers.nth(2)).toBeVisible();
    const file = openers.nth(1).element().getAttribute('data-image');
    focusOn(openers.first());
    await userEvent.keyboard('{Enter}');
    await expect.element(position(1)).toBeVisible();
    await expect.element(dialog.getByText('Alice', { exact: true })).toBeVisible();
    const year = String(new Date().getFullYear());
    await expect.element(dialog.getByText(year, { exact: false })).toBeVisible();
    await expect.element(previous).toHaveAttribute('aria-disabled', 'true');
    await expect.element(dialog.getByCss(':focus')).toBeInTheDocument();

    await userEvent.keyboard('{ArrowLeft}{ArrowRight}');
    await expect.element(position(2)).toBeVisible();
    await expect.element(image).toHaveProperty('naturalHeight', 300);
    await next.click();
    await expect.element(position(3)).toBeVisible();
    await expect.element(dialog.getByText(t('lightbox.you'), { exact: true })).toBeVisible();
    await expect.element(next).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{ArrowRight}');
    await previous.click();
    await expect.element(position(2)).toBeVisible();

    // The arrow keys move a zoomed image instead of switching images.
    await userEvent.keyboard('+{ArrowRight}');
    await expect.element(position(2)).toBeVisible();

    const download = dialog.getByRole('link', { name: t('lightbox.download') });
    await expect.element(download).toHaveAttribute('download', expect.stringMatching(/\.png$/));
    await expect.element(download).toHaveAttribute('href', file);

    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(openers.nth(1)).toHaveFocus();
    expect(location.pathname).toBe(path);
    // The viewer adds only one entry to the history, regardless of how many images it has shown.
    history.back();
    await expectPath('/chatarea');
    await expect.element(dialog).not.toBeInTheDocument();
  });
}

test('no control covers an open image (360 and 1280 pixels wide)', async () => {
  const { server, room, reload } = await openThreeImages({ viewport: NARROW });
  await sendMediaAs(server, 'Alice', room, await createImageFile(600, 960));
  const { openers, dialog, image } = findImageViewer();
  for (const viewport of [NARROW, { width: 1280, height: 800 }]) {
    await page.viewport(viewport.width, viewport.height);
    await reload();
    await expect.element(openers.nth(3)).toBeInTheDocument();
    focusOn(openers.nth(3));
    await userEvent.keyboard('{Enter}');
    await expect.element(image).toHaveProperty('naturalWidth', 600);
    const area = image.element().getBoundingClientRect();
    const controls = [...dialog.element().querySelectorAll('button, a, output')];
    expect(controls.length).toBeGreaterThan(5);
    const overlaps = controls.filter((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return left < area.right && right > area.left && top < area.bottom && bottom > area.top;
    });
    expect(overlaps.map(({ outerHTML }) => outerHTML)).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  }
});

test('a small image is shown at its own size', async () => {
  await openChatOf('Bob', { viewport: NARROW }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(24, 24));
  });
  const image = page.getByCss('[data-message] img');
  await expect.element(image).toHaveAttribute('data-state', 'ready');
  const frame = page.getByCss('[data-message] [data-image]');
  // Counts the pixels of the image. The frame is gray, and the bubble around its corners is amber.
  const countBlue = async () => {
    const bitmap = await takePagePicture(frame);
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const { data = new Uint8ClampedArray() } = context?.getImageData(0, 0, width, height) ?? {};
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, , blue = 0] = data.slice(at, at + 3);
      if (blue - red > 40) count += 1;
    }
    return { count, isFramed: width >= 120 && height >= 64 };
  };
  await expect.poll(async () => (await countBlue()).count).toBeGreaterThan(300);
  const { count, isFramed } = await countBlue();
  expect(count).toBeLessThanOrEqual(25 * 25);
  expect(isFramed).toBe(true);
});

test('an open image is closed after a reload, and going back leaves the chatroom', async () => {
  const { reload } = await openThreeImages();
  await reload('/chatarea');
  await chatRowOf('Alice').click();
  const { openers, dialog } = findImageViewer();
  await expect.element(openers.nth(2)).toBeVisible();
  focusOn(openers.first());
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await reload();
  await expect.element(openers.nth(2)).toBeVisible();
  await expectNoImageEntry();
  await expect.element(dialog).not.toBeInTheDocument();
  history.back();
  await expectPath('/chatarea');
});

test('the first Escape closes a viewer that was opened with the keyboard and shows a tooltip', async () => {
  const t = createTranslator('en');
  await openThreeImages();
  const { openers, dialog } = findImageViewer();
  await expect.element(openers.nth(2)).toBeVisible();
  focusOn(openers.last());
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  focusOn(dialog.getByRole('button', { name: t('lightbox.close') }));
  const tooltip = page.getByText(t('lightbox.close'), { exact: true });
  await expect.element(tooltip).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(tooltip).not.toBeInTheDocument();
  await expect.element(openers.last()).toHaveFocus();
});

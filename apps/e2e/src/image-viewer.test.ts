import type { CDPSession, Page } from 'playwright/test';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openSharedChatroom, type SharedChatroom } from './support/shared-chatroom.ts';
import { expect, test, type NewPage, type NewPageOptions } from './support/test.ts';
import type { HostedServer } from '@parley/testing';
import { TEST_LANGUAGES, createTranslator, type TestLanguage } from './support/texts.ts';

const NARROW = { width: 360, height: 740 };

/** Lets Alice send two images and Bob a third one. Returns Bob's page in the chatroom. */
async function openThreeImages(
  newPage: NewPage,
  server: HostedServer,
  options: NewPageOptions & { language?: TestLanguage } = {},
): Promise<SharedChatroom & { page: Page }> {
  const pair = await openSharedChatroom(newPage, server, options);
  const { alice, bob, room } = pair;
  await sendFile(alice.page, room, 'image', createPng(300, 200));
  await sendFile(alice.page, room, 'image', createPng(200, 300));
  await sendFile(bob.page, room, 'image', createPng(400, 100));
  await expect(bob.page.locator('[data-message] img')).toHaveCount(3);
  return { ...pair, page: bob.page };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the image viewer shows the sender and the date, and the arrow keys switch images (${language})`, async ({
    server,
    newPage,
  }) => {
    const { page } = await openThreeImages(newPage, server, { language });
    const openers = page.getByRole('button', { name: t('message.openImage') });
    const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
    const previous = dialog.getByRole('button', { name: t('lightbox.previous') });
    const next = dialog.getByRole('button', { name: t('lightbox.next') });
    const position = (current: number) =>
      dialog.getByText(t('lightbox.place', { current, total: 3 }), { exact: true });

    await openers.first().focus();
    await page.keyboard.press('Enter');
    await expect(position(1)).toBeVisible();
    await expect(dialog.getByText('Alice', { exact: true })).toBeVisible();
    await expect(dialog.getByText(String(new Date().getFullYear()))).toBeVisible();
    await expect(previous).toHaveAttribute('aria-disabled', 'true');
    await expect(dialog.locator(':focus')).toHaveCount(1);

    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await expect(position(2)).toBeVisible();
    await expect(dialog.getByRole('img')).toHaveJSProperty('naturalHeight', 300);
    await next.click();
    await expect(position(3)).toBeVisible();
    await expect(dialog.getByText(t('lightbox.you'), { exact: true })).toBeVisible();
    await expect(next).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('ArrowRight');
    await previous.click();
    await expect(position(2)).toBeVisible();

    // The arrow keys move a zoomed image instead of switching images.
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await expect(position(2)).toBeVisible();

    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: t('lightbox.download') }).click();
    expect((await download).suggestedFilename()).toMatch(/\.png$/);

    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(openers.nth(1)).toBeFocused();
    // The viewer adds only one entry to the history, regardless of how many images it has shown.
    await page.goBack();
    await expect(dialog).toHaveCount(0);
  });
}

test('the first Escape closes a viewer that was opened with the keyboard and shows a tooltip', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { page } = await openThreeImages(newPage, server);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const opener = page.getByRole('button', { name: t('message.openImage') }).last();
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: t('lightbox.close') }).focus();
  const tooltip = page.getByText(t('lightbox.close'), { exact: true });
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(tooltip).toHaveCount(0);
  await expect(opener).toBeFocused();
});

for (const viewport of [NARROW, { width: 1280, height: 800 }]) {
  test(`no control covers an open image (${viewport.width} pixels wide)`, async ({
    server,
    newPage,
  }) => {
    const t = createTranslator('en');
    const { page, alice, room } = await openThreeImages(newPage, server, { viewport });
    await sendFile(alice.page, room, 'image', createPng(1_500, 2_400));
    const openers = page.getByRole('button', { name: t('message.openImage') });
    await expect(openers).toHaveCount(4);
    // The list may still be moving below a mouse.
    await openers.last().press('Enter');
    const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
    const large = dialog.getByRole('img');
    await expect(large).toHaveJSProperty('naturalWidth', 1_500);
    const overlaps = await large.evaluate((image) => {
      const area = image.getBoundingClientRect();
      const controls = image.closest('[role=dialog]')?.querySelectorAll('button, a, output') ?? [];
      return [...controls]
        .filter((control) => {
          const { left, right, top, bottom } = control.getBoundingClientRect();
          return left < area.right && right > area.left && top < area.bottom && bottom > area.top;
        })
        .map((control) => control.outerHTML);
    });
    expect(overlaps).toEqual([]);
  });
}

/** Moves one finger over the page in a straight line. */
async function swipe(touch: CDPSession, from: [number, number], to: [number, number]) {
  const send = (type: string, points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
  const at = (share: number) => ({
    x: from[0] + (to[0] - from[0]) * share,
    y: from[1] + (to[1] - from[1]) * share,
  });
  await send('touchStart', [at(0)]);
  for (let step = 1; step <= 6; step++) await send('touchMove', [at(step / 6)]);
  await send('touchEnd', []);
}

test('swiping sideways switches images, and swiping down closes the viewer', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const options = { viewport: NARROW, hasTouch: true, isMobile: true };
  const { page } = await openThreeImages(newPage, server, options);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const position = (current: number) =>
    dialog.getByText(t('lightbox.place', { current, total: 3 }), { exact: true });
  const touch = await page.context().newCDPSession(page);
  await page
    .getByRole('button', { name: t('message.openImage') })
    .nth(1)
    .tap();
  await expect(position(2)).toBeVisible();
  await swipe(touch, [260, 370], [80, 380]);
  await expect(position(3)).toBeVisible();
  await swipe(touch, [80, 370], [260, 360]);
  await expect(position(2)).toBeVisible();
  // This swipe is too short to have an effect.
  await swipe(touch, [180, 370], [180, 400]);
  await expect(position(2)).toBeVisible();
  await swipe(touch, [180, 300], [190, 520]);
  await expect(dialog).toHaveCount(0);
});

test('a small image is shown at its own size', async ({ server, newPage }) => {
  const t = createTranslator('en');
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { viewport: NARROW });
  const { page } = bob;
  await sendFile(alice.page, room, 'image', createPng(24, 24));
  const image = page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  await expect(image).toHaveAttribute('data-state', 'ready');
  // Counts the blue and amber pixels, which the gray frame lacks. A third of the image is too gray to count.
  const colored = async () => {
    const shot = (await image.screenshot({ animations: 'disabled' })).toString('base64');
    return page.evaluate(async (bytes) => {
      const png = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([png]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      const { data = new Uint8ClampedArray() } =
        context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const channels = data.slice(at, at + 3);
        if (Math.max(...channels) - Math.min(...channels) > 40) count += 1;
      }
      return { count, isFramed: bitmap.width >= 120 && bitmap.height >= 64 };
    }, shot);
  };
  await expect.poll(async () => (await colored()).count).toBeGreaterThan(300);
  const { count, isFramed } = await colored();
  expect(count).toBeLessThanOrEqual(25 * 25);
  expect(isFramed).toBe(true);
});

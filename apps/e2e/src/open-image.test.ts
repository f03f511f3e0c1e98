import { chatRow, message, scrollToStart, waitForAnimations } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('an image has its final size immediately and opens in the viewer', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = bob;
  const held = Promise.withResolvers<void>();
  await page.route('**/media/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await sendFile(alice.page, room, 'image', createPng(1_200, 600));
  const image = page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  await waitForAnimations(page);
  const box = await image.boundingBox();
  expect(box).toMatchObject({ width: 340, height: 170 });
  held.resolve();
  await expect(image).toHaveJSProperty('naturalWidth', 1_200);
  expect(await image.boundingBox()).toEqual(box);

  const open = page.getByRole('button', { name: t('message.openImage') });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const large = dialog.getByRole('img');
  const zoom = () =>
    large.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  await expect(large).toBeVisible();
  // The image handles keys once it has the focus.
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('+');
  await expect.poll(zoom).toBe(1.5);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('0');
  await expect.poll(zoom).toBe(1);
  await dialog.getByRole('button', { name: t('lightbox.zoomIn') }).click();
  await expect.poll(zoom).toBe(1.5);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
});

test('an open image is zoomed and moved with the mouse, and a click beside it closes the viewer', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = bob;
  await sendFile(alice.page, room, 'image', createPng(300, 200));
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const large = dialog.getByRole('img');
  const matrix = () =>
    large.evaluate((element) => {
      const { a: zoom, e: x, f: y } = new DOMMatrix(getComputedStyle(element).transform);
      return { zoom, x, y };
    });
  const fit = { zoom: 1, x: 0, y: 0 };

  await page.getByRole('button', { name: t('message.openImage') }).dblclick();
  await expect.poll(matrix).toEqual(fit);
  await large.click();
  await expect(large).toBeVisible();
  await large.dblclick();
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: 0, y: 0 });
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await page.mouse.move(600, 430);
  await page.mouse.up();
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // The right button opens the browser's menu.
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(700, 500);
  await page.mouse.up({ button: 'right' });
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // A part of the image always stays visible.
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: 375, y: 30 });
  await large.dblclick();
  await expect.poll(matrix).toEqual(fit);
  // The point below the mouse stays in place.
  await page.mouse.dblclick(690, 360);
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -75, y: 60 });
  await page.keyboard.press('0');
  await page.mouse.click(20, 400);
  await expect(dialog).toHaveCount(0);
});

test('an open image is closed after a reload', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await sendFile(page, room, 'image', createPng(300, 200));
  for (let i = 0; i < 40; i++) await sendOverHttp(page, 'Bob', `Line ${i}`);
  await expect(message(page, 'Line 39')).toBeVisible();
  await page.goto('/chatarea');
  await chatRow(page, 'Bob').click();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  // The list may still be moving below a mouse.
  await page.getByRole('button', { name: t('message.openImage') }).press('Enter');
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  await expect(page.getByRole('button', { name: t('message.openImage') })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
});

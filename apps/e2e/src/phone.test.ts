import type { Locator } from 'playwright/test';
import { sendOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { message, messages, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { expectNoSidewaysScroll, PHONE, PHONE_SIZES, setSafeArea } from './support/phone.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element.toString()} is not visible`);
  return { ...box, bottom: box.y + box.height, right: box.x + box.width };
}

for (const [i, viewport] of PHONE_SIZES.entries()) {
  test(`the newest message stays visible above the keyboard (${viewport.width}×${viewport.height})${i === 0 ? '' : ' @long'}`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob } = await openSharedChatroom(newPage, server, { ...PHONE, viewport });
    for (let i = 0; i < 12; i++)
      await sendOverHttp(bob.page, 'Alice', `Message ${i}\nof two lines`);
    const { page } = alice;
    await expect(message(page, 'Message 11')).toBeInViewport({ ratio: 1 });
    await textBox(page).tap();
    // With `interactive-widget=resizes-content`, the keyboard makes the window smaller.
    const height = Math.round(viewport.height * 0.55);
    await page.setViewportSize({ width: viewport.width, height });
    await expect(message(page, 'Message 11')).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await boxOf(textBox(page))).bottom).toBeLessThanOrEqual(height);
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await sendOverHttp(bob.page, 'Alice', 'While the keyboard is open');
    await expect(message(page, 'While the keyboard')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(viewport);
    await expect(message(page, 'While the keyboard')).toBeInViewport({ ratio: 1 });
    await expect
      .poll(async () => (await boxOf(textBox(page))).bottom)
      .toBeGreaterThan(viewport.height - 80);
  });
}

test('a keyboard that covers the page, as on iOS, moves the composer up without scrolling', async ({
  server,
  newPage,
}) => {
  const page = (await openChatroom(newPage, server, PHONE)).alice.page;
  await setSafeArea(page, { top: 47, right: 0, bottom: 34, left: 0 });
  for (let i = 0; i < 12; i++) await sendOverHttp(page, 'Bob', `Message ${i}\nof two lines`);
  await expect(message(page, 'Message 11')).toBeVisible();
  const gap = async () =>
    (await boxOf(page.locator('[data-room]'))).bottom - (await boxOf(textBox(page))).bottom;
  const gapBefore = await gap();
  const setKeyboard = (height: number) =>
    page.evaluate((covered) => {
      const viewport = visualViewport;
      if (!viewport) return;
      Object.defineProperty(viewport, 'height', {
        configurable: true,
        get: () => innerHeight - covered,
      });
      viewport.dispatchEvent(new Event('resize'));
    }, height);

  await textBox(page).tap();
  await setKeyboard(300);
  await expect.poll(async () => (await boxOf(textBox(page))).bottom).toBeLessThanOrEqual(440);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect
    .poll(async () => (await boxOf(message(page, 'Message 11'))).bottom)
    .toBeLessThan(440);
  // The keyboard covers the gesture area.
  expect(gapBefore - (await gap())).toBeCloseTo(34, 0);
  await setKeyboard(0);
  await expect.poll(gap).toBeCloseTo(gapBefore, 0);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('bars, buttons and dialogs keep clear of the camera and the gesture area @long', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server, PHONE);
  const { page } = alice;
  await sendFile(page, room, 'image', createPng(300, 200));
  await setSafeArea(page, { top: 47, right: 0, bottom: 34, left: 0 });
  const top = async (element: Locator) => (await boxOf(element)).y;
  await expect
    .poll(() => top(page.getByRole('link', { name: t('room.back') })))
    .toBeGreaterThanOrEqual(47);
  expect((await boxOf(textBox(page))).bottom).toBeLessThanOrEqual(740 - 34);

  await page.getByRole('button', { name: t('message.openImage') }).tap();
  const viewer = page.getByRole('dialog', { name: t('lightbox.title') });
  expect(
    await top(viewer.getByRole('button', { name: t('lightbox.close') })),
  ).toBeGreaterThanOrEqual(47);
  await page.goBack();

  await page.getByRole('link', { name: t('room.back') }).tap();
  const add = page.getByRole('link', { name: t('findUser.open') }).first();
  expect((await boxOf(add)).bottom).toBeLessThanOrEqual(740 - 34);
  expect(
    await top(page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) })),
  ).toBeGreaterThanOrEqual(47);
  await add.tap();
  expect(await top(page.getByRole('link', { name: t('findUser.close') }))).toBeGreaterThanOrEqual(
    47,
  );

  await test.step('in landscape', async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await setSafeArea(page, { top: 0, right: 47, bottom: 21, left: 47 });
    await page.goto('/chatarea');
    const row = page.locator('[data-chat]').first();
    await expect.poll(async () => (await boxOf(row)).x).toBeGreaterThanOrEqual(47);
    expect((await boxOf(row)).right).toBeLessThanOrEqual(844 - 47);
    await expectNoSidewaysScroll(page, 'the chat list in landscape');
  });
});

test('a banner above a screen keeps clear of the camera @long', async ({ server, newPage }) => {
  const page = (await openChatroom(newPage, server, PHONE)).alice.page;
  await setSafeArea(page, { top: 47, right: 0, bottom: 34, left: 0 });
  await page.context().setOffline(true);
  const banner = page.getByText(t('connection.offline'));
  await expect(banner).toBeVisible();
  expect((await boxOf(banner)).y).toBeGreaterThanOrEqual(47);
  // The header below it needs no second space.
  const header = page.locator('[data-screen-header]');
  expect((await boxOf(header)).height).toBeLessThan(80);
});

test('pulling down does not reload the app, and panes do not scroll each other @long', async ({
  server,
  newPage,
}) => {
  const page = (await openChatroom(newPage, server, PHONE)).alice.page;
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const overscroll = (selector: string) =>
    page.evaluate((css) => {
      const element = document.querySelector(css);
      return element && getComputedStyle(element).overscrollBehaviorY;
    }, selector);
  expect(await overscroll('html')).toBe('none');
  expect(await overscroll('main')).toBe('contain');
  expect(await overscroll('[data-room] section')).toBe('contain');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.synthesizeScrollGesture', {
    x: 180,
    y: 200,
    yDistance: 400,
    speed: 1_600,
  });
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
  await expect(messages(page)).toHaveCount(1);
});

test('the color of the browser’s bars follows the chosen theme, even before the app starts @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage({ ...PHONE, colorScheme: 'light' });
  await signUpOverHttp(page, server, 'Alice');
  const barColor = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
          ({ media }) => matchMedia(media).matches,
        )?.content,
    );
  const [light, dark] = ['#fdfcfb', '#191715'];
  expect(await barColor()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barColor()).toBe(dark);
  await page.goto('/settings');
  await page.getByRole('radio', { name: t('settings.themeLight') }).tap();
  await expect.poll(barColor).toBe(light);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect(page.locator('#app')).toBeEmpty();
  expect(await barColor()).toBe(light);
  await page.unroute('**/assets/*.js');
  await page.reload();
  await page.getByRole('radio', { name: t('settings.themeSystem') }).tap();
  await expect.poll(barColor).toBe(dark);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await barColor()).toBe(light);
});

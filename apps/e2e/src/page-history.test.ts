import type { Page } from 'playwright/test';
import { chatRow, message, messages } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { registerOverHttp, signUpOverHttp, sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const expectPath = (page: Page, path: string) =>
  expect(page).toHaveURL((url) => url.pathname === path);

test('the link back to the chats goes back in the history if the chats are the previous entry', async ({
  server,
  newPage,
}) => {
  const viewport = { width: 390, height: 740 };
  const { bob, room } = await openSharedChatroom(newPage, server, {
    viewport,
    bobOpens: 'chat list',
  });
  const { page } = bob;
  const length = () => page.evaluate(() => history.length);
  const start = await length();
  for (let round = 0; round < 3; round++) {
    await chatRow(page, 'Alice').click();
    await expect(message(page, 'Hello Bob!')).toBeVisible();
    await page.getByRole('link', { name: t('room.back') }).click();
    await expectPath(page, '/chatarea');
  }
  await page.getByRole('link', { name: t('chatList.add') }).click();
  await page.getByRole('link', { name: t('findUser.close') }).click();
  await expectPath(page, '/chatarea');
  expect(await length()).toBe(start + 1);
  await page.goForward();
  await expectPath(page, '/chatarea/exist');

  // A chatroom that was opened by its address has no chat list before it in the history.
  await goToChatroom(page, room);
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectPath(page, '/chatarea');
  await page.goBack();
  await expectPath(page, room);
  await page.reload();
  await expect(messages(page).first()).toBeVisible();
});

test('the chat list scrolls to the top after other screens and keeps its position beside a chatroom', async ({
  server,
  newPage,
}) => {
  test.slow();
  const page = await newPage({ viewport: { width: 1280, height: 500 } });
  await signUpOverHttp(page, server, 'Alice');
  for (let i = 0; i < 12; i++) {
    await registerOverHttp(server, `Friend${i}`);
    await sendOverHttp(page, `Friend${i}`, 'Hello');
  }
  await page.goto('/chatarea');
  const list = page.getByRole('navigation', { name: t('chatList.title') });
  const scrollTop = () =>
    list
      .locator('[data-chat]')
      .first()
      .evaluate((row) => {
        let scroller = row.parentElement;
        while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1)
          scroller = scroller.parentElement;
        return scroller?.scrollTop ?? -1;
      });
  const scrollDown = async () => {
    await chatRow(page, 'Friend9').hover();
    await expect(async () => {
      await page.mouse.wheel(0, 300);
      expect(await scrollTop()).toBeGreaterThan(100);
    }).toPass();
  };

  for (const [item, back] of [
    ['shell.profile', 'profile.back'],
    ['shell.settings', 'settings.back'],
    ['shell.about', 'about.back'],
  ] as const) {
    await scrollDown();
    await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t(item) }).click();
    await page.getByRole('link', { name: t(back) }).click();
    await expectPath(page, '/chatarea');
    await expect.poll(scrollTop).toBe(0);
  }

  await scrollDown();
  let position = -1;
  // The list may still be scrolling.
  await expect(async () => {
    const before = position;
    position = await scrollTop();
    expect(position).toBe(before);
  }).toPass();
  // Clicks with the mouse, as Playwright would scroll a partly visible row before a click.
  const middles = await list.locator('[data-chat]').evaluateAll((rows) =>
    rows.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }),
  );
  const middle = middles.find(({ y }) => y > 200) ?? { x: 0, y: 0 };
  // Rows ignore the mouse until the list has stood still for a moment.
  await expect(list.locator('[data-chat]').first()).toHaveCSS('pointer-events', 'auto');
  await page.mouse.click(middle.x, middle.y);
  await expect(message(page, 'Hello')).toBeVisible();
  expect(await scrollTop()).toBe(position);
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectPath(page, '/chatarea');
  expect(await scrollTop()).toBe(position);
});

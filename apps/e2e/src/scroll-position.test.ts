import { LIMITS } from '@parley/contract';
import type { Page } from 'playwright/test';
import { chatRow, message, messages, textBox } from './support/chat.ts';
import { scrollUntilVisible } from './support/scroll-until.ts';
import { goToChatroom, openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns how many pixels the end of the open chatroom is below the viewport. */
function distanceToEnd(page: Page): Promise<number> {
  return page
    .getByRole('region', { name: t('room.messages', { name: 'Bob' }) })
    .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
}

test('the end of a chatroom stays visible while the composer changes its height', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  for (let i = 1; i <= 30; i++) await sendOverHttp(page, 'Bob', `Line ${i}`);
  await goToChatroom(page, room);
  await expect(message(page, 'Line 30')).toBeInViewport();

  const expectAtEnd = async (what: string) => {
    // The list scrolls in the frames after the change.
    await expect.poll(() => distanceToEnd(page), { message: what }).toBeLessThan(2);
    await expect(page.getByRole('button', { name: t('room.toBottom') })).toHaveCount(0);
  };
  const box = textBox(page);
  await box.fill(`${'A line\n'.repeat(20)}${'x'.repeat(LIMITS.messageMax - 140)}`);
  await expectAtEnd('a text of maximum height');
  await box.press('End');
  await box.pressSequentially('yz');
  await expect(page.getByText('2 characters too long')).toBeVisible();
  await expectAtEnd('a text that is too long');
  await box.press('Backspace');
  await box.press('Backspace');
  await expect(page.getByText('too long')).toHaveCount(0);
  await expectAtEnd('a text that is short enough again');
  await box.fill('');
  await expectAtEnd('an empty box');
});

test('a chatroom opens at the position where the user left it', async ({ server, newPage }) => {
  const viewport = { width: 390, height: 740 };
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { viewport });
  const { page } = alice;
  for (let i = 1; i <= 40; i++) await sendOverHttp(page, 'Bob', `Line ${i}.`);
  await goToChatroom(page, room);
  const last = message(page, 'Line 40.');
  await expect(last).toBeInViewport();
  const reopen = async () => {
    await page.getByRole('link', { name: t('room.back') }).click();
    await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
    await chatRow(page, 'Bob').click();
    await expect(messages(page).first()).toBeVisible();
  };
  await reopen();
  await expect(last).toBeInViewport();

  const row = message(page, 'Line 15.');
  await last.hover();
  await scrollUntilVisible(row, -150);
  const top = async () => (await row.boundingBox())?.y ?? -1;
  let before = -1;
  await expect(async () => {
    const now = await top();
    const isStill = now === before;
    before = now;
    expect(isStill).toBe(true);
  }).toPass();
  await reopen();
  await expect(row).toBeInViewport();
  await expect(async () => expect(Math.abs((await top()) - before)).toBeLessThan(3)).toPass();

  await page.getByRole('link', { name: t('room.back') }).click();
  await sendOverHttp(bob.page, 'Alice', 'Something new');
  await expect(chatRow(page, 'Bob').getByText('1 unread message')).toBeAttached();
  await chatRow(page, 'Bob').click();
  await expect(message(page, 'Something new')).toBeInViewport();
});

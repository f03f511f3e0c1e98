import type { Locator } from 'playwright/test';
import { chatRow, message, messages, textBox } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const t = createTranslator('en');

/** Hovers one of the user's own messages and clicks one of its buttons. */
async function clickAction(bubble: Locator, name: string): Promise<void> {
  const article = bubble.page().locator('article').filter({ has: bubble });
  await article.hover();
  await article.getByRole('button', { name, exact: true }).click();
}

test('an own text message is edited for both users, with a yellow outline, and Escape cancels editing', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const box = textBox(page);
  const outline = () =>
    box.evaluate((element) => {
      const { outlineStyle, outlineColor } = getComputedStyle(element.parentElement ?? element);
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--yellow)';
      const isYellow = outlineStyle === 'solid' && getComputedStyle(probe).color === outlineColor;
      probe.remove();
      return isYellow;
    });

  await box.fill('A draft');
  await clickAction(message(page, 'Hello Bob!'), t('message.edit'));
  await expect(box).toHaveValue('Hello Bob!');
  await expect(box).toBeFocused();
  expect(await outline()).toBe(true);
  await expect.poll(outline).toBe(false);
  await box.press('Escape');
  await expect(box).toHaveValue('A draft');

  await box.fill('');
  await box.press('ArrowUp');
  await expect(box).toHaveValue('Hello Bob!');
  await page.route('**/api/messages/edit', (route) => route.fulfill({ status: 500 }));
  await box.fill('Hello Bob, dear!');
  await box.press('Enter');
  await dismissToast(page, t('composer.editFailed'));
  await expect(box).toHaveValue('Hello Bob, dear!');
  await page.unroute('**/api/messages/edit');
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect(box).toHaveValue('');
  for (const each of [page, bob.page]) {
    await expect(message(each, 'Hello Bob, dear!')).toContainText(t('message.updated'));
    await expect(messages(each)).toHaveCount(1);
  }
  await expect(bob.page.getByRole('button', { name: t('message.edit') })).toHaveCount(0);
});

test('a chatroom opens at its first unread message', async ({ server, newPage }) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  await bob.page.goto('/chatarea');
  for (let i = 1; i <= 60; i++) await sendOverHttp(alice.page, 'Bob', `Unread number ${i}.`);
  await expect(chatRow(bob.page, 'Alice').getByText('60 unread messages')).toBeAttached();
  await chatRow(bob.page, 'Alice').click();
  await expect(bob.page).toHaveURL((url) => url.pathname === room);
  await expect(bob.page.getByText(t('room.newMessages'), { exact: true })).toBeInViewport();
  await expect(message(bob.page, 'Unread number 1.')).toBeInViewport();
  const button = bob.page.getByRole('button', { name: '60 unread messages. Tap to see.' });
  await button.click();
  await expect(message(bob.page, 'Unread number 60.')).toBeInViewport();
  await expect(button).toHaveCount(0);
  await expect(bob.page).toHaveTitle(t('app.pageTitle', { page: 'Alice' }));
});

test('a chatroom without unread messages opens at its newest message and stays there', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  for (let i = 1; i <= 30; i++) {
    await sendOverHttp(bob.page, 'Alice', `Line ${i} `.repeat(1 + (i % 5) * 12));
  }
  await alice.page.request.post(`/api${room.replace('/chatarea', '/chatrooms')}/mark-as-read`);
  await alice.page.reload();
  const last = message(alice.page, 'Line 30');
  await expect(last).toBeInViewport();
  await expect(alice.page.getByRole('button', { name: t('room.toBottom') })).toHaveCount(0);
});

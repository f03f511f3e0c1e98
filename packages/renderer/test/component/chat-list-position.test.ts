import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

/** Returns the element that scrolls the chat list. */
function findScroller(rows: Locator): HTMLElement {
  let element = rows.first().element().parentElement;
  while (element && element.scrollHeight <= element.clientHeight + 1) {
    element = element.parentElement;
  }
  if (!element) throw new Error('the chat list does not scroll');
  return element;
}

test('the chat list scrolls to the top after other screens and keeps its position beside a chatroom', async () => {
  const friends = Array.from({ length: 12 }, (_, i) => `Friend${i}`);
  const server = createServerWith(['Alice', ...friends]);
  for (const friend of friends) await createChatBetween(server, ['Alice', friend], 'Hello');
  await openApp({ server, user: 'Alice', viewport: { width: 1280, height: 500 } });
  const rows = page.getByRole('navigation', { name: t('chatList.title') }).getByCss('[data-chat]');
  const scrollTop = () => findScroller(rows).scrollTop;
  const scrollDown = async () => {
    await expect.element(rows.first()).toBeVisible();
    findScroller(rows).scrollBy(0, 300);
    await expect.poll(scrollTop).toBeGreaterThan(100);
  };
  const expectChats = () => expectPath('/chatarea');

  for (const [item, back] of [
    ['frame.profile', 'profile.back'],
    ['frame.settings', 'settings.back'],
    ['frame.about', 'about.back'],
  ] as const) {
    await scrollDown();
    await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t(item) }).click();
    await page.getByRole('link', { name: t(back) }).click();
    await expectChats();
    await expect.poll(scrollTop).toBe(0);
  }

  await scrollDown();
  const lowRows = () => rows.elements().filter((row) => row.getBoundingClientRect().top > 200);
  // The list renders its rows after it has scrolled.
  await expect.poll(lowRows).not.toHaveLength(0);
  const position = scrollTop();
  // A click of the mouse would first scroll a row that is partly visible.
  (lowRows()[0] as HTMLElement).click();
  await expect.element(messageWith('Hello')).toBeVisible();
  expect(scrollTop()).toBe(position);
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectChats();
  expect(scrollTop()).toBe(position);
});

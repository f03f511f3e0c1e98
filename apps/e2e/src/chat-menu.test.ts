import type { Locator, Page } from 'playwright/test';
import {
  sendOverHttp,
  signInElsewhere,
  signInOverHttp,
  signUpOverHttp,
} from './support/browser-user.ts';
import { chatRow } from './support/chat.ts';
import { focusWithKeyboard } from './support/keyboard.ts';
import { PHONE } from './support/phone.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the names of the partners in the list, in order. */
async function expectOrder(page: Page, ...names: string[]): Promise<void> {
  const rows = page.locator('[data-chat]');
  await expect(rows).toHaveCount(names.length);
  for (const [i, name] of names.entries()) await expect(rows.nth(i)).toContainText(name);
}

/** Opens the menu of a chat with a right click. */
async function openMenu(row: Locator): Promise<Locator> {
  await row.click({ button: 'right', position: { x: 20, y: 20 } });
  const menu = row.page().getByRole('menu');
  await expect(menu).toBeVisible();
  return menu;
}

async function choose(row: Locator, name: string): Promise<void> {
  const menu = await openMenu(row);
  await menu.getByRole('menuitem', { name, exact: true }).click();
  await expect(menu).toHaveCount(0);
}

test('a chat is pinned and archived on all devices until the partner writes', async ({
  server,
  newPage,
}) => {
  const [alice, bob, carol] = [await newPage(), await newPage(), await newPage()];
  const user = await signUpOverHttp(alice, server, 'Alice');
  await signInOverHttp(bob, server, 'Bob');
  await signInOverHttp(carol, server, 'Carol');
  await sendOverHttp(bob, 'Alice', 'from Bob');
  await sendOverHttp(carol, 'Alice', 'from Carol');
  const phone = await signInElsewhere(await newPage(PHONE), user);
  await expectOrder(phone, 'Carol', 'Bob');
  await choose(chatRow(alice, 'Bob'), t('chatMenu.pin'));
  await expectOrder(phone, 'Bob', 'Carol');
  await expect(chatRow(phone, 'Bob')).toContainText(t('chatList.pinned'));
  await choose(chatRow(alice, 'Bob'), t('chatMenu.archive'));
  await expectOrder(phone, 'Carol');
  await sendOverHttp(bob, 'Alice', 'I am back');
  for (const page of [alice, phone]) await expectOrder(page, 'Bob', 'Carol');
});

test('the keyboard opens the menu of a chat, and a sixth chat cannot be pinned @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  const names = ['Ben', 'Cleo', 'Dora', 'Emil', 'Finn', 'Gwen'];
  for (const name of names) {
    const partner = await newPage();
    await signInOverHttp(partner, server, name);
    await sendOverHttp(partner, 'Alice', 'Hello');
    await partner.close();
  }
  await page.goto('/chatarea');
  await expectOrder(page, ...names.toReversed());
  for (const [i, name] of names.entries()) {
    const row = chatRow(page, name);
    await focusWithKeyboard(page, page.locator('[data-chat][tabindex="0"]'));
    await row.focus();
    await page.keyboard.press(i % 2 === 0 ? 'ArrowRight' : 'Shift+F10');
    const pin = page.getByRole('menuitem', { name: t('chatMenu.pin'), exact: true });
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await focusWithKeyboard(page, pin, 'ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(row).toBeFocused();
  }
  await expect(page.getByText(t('chatMenu.pinLimit_other', { count: 5 }))).toBeVisible();
  await expect(chatRow(page, 'Gwen')).not.toContainText(t('chatList.pinned'));
});

test('a long press opens the menu of a chat @long', async ({ server, newPage }) => {
  const page = await newPage(PHONE);
  const bob = await newPage();
  await signInOverHttp(page, server, 'Alice');
  await signInOverHttp(bob, server, 'Bob');
  await sendOverHttp(bob, 'Alice', 'Hello');
  await page.goto('/chatarea');
  const box = await chatRow(page, 'Bob').boundingBox();
  if (!box) throw new Error('the row is not visible');
  const touch = await page.context().newCDPSession(page);
  const point = { x: box.x + 60, y: box.y + 30 };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await expect(page.getByRole('menu', { name: t('chatMenu.label') })).toBeVisible();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(page.getByRole('menu')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/chatarea');
});

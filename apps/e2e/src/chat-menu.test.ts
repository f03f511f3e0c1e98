import type { Locator, Page } from 'playwright/test';
import {
  sendOverHttp,
  signInElsewhere,
  signInOverHttp,
  signUpOverHttp,
} from './support/browser-user.ts';
import { chatRow, message, textBox } from './support/chat.ts';
import { focusWithKeyboard } from './support/keyboard.ts';
import { PHONE } from './support/phone.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES } from './support/texts.ts';

const t = createTranslator('en');
const HOUR = 60 * 60 * 1_000;

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

/** Lets toasts stay open, which close at the end of an animation. */
async function holdToasts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.Toastify__progress-bar { animation-play-state: paused !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
}

async function choose(row: Locator, name: string): Promise<void> {
  const menu = await openMenu(row);
  await menu.getByRole('menuitem', { name, exact: true }).click();
  await expect(menu).toHaveCount(0);
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a chat is pinned, muted, archived and marked as unread on all devices (${language})`, async ({
    server,
    newPage,
  }) => {
    const options = { locale: localeOf(language) } as const;
    const [alice, bob, carol] = [
      await newPage(options),
      await newPage(options),
      await newPage(options),
    ];
    const user = await signUpOverHttp(alice, server, 'Alice', language);
    await signInOverHttp(bob, server, 'Bob', language);
    await signInOverHttp(carol, server, 'Carol', language);
    await sendOverHttp(bob, 'Alice', 'from Bob');
    await sendOverHttp(carol, 'Alice', 'from Carol');
    const phone = await signInElsewhere(await newPage({ ...options, ...PHONE }), user);
    const devices = [alice, phone];
    const title = t('app.pageTitle', { page: t('shell.chats') });

    await test.step('a pinned chat is first', async () => {
      for (const page of devices) await expectOrder(page, 'Carol', 'Bob');
      await choose(chatRow(alice, 'Bob'), t('chatMenu.pin'));
      for (const page of devices) {
        await expectOrder(page, 'Bob', 'Carol');
        await expect(chatRow(page, 'Bob')).toContainText(t('chatList.pinned'));
      }
    });

    await test.step('a muted chat is not counted, and causes no alert', async () => {
      for (const page of devices) {
        await expect(page).toHaveTitle(t('app.unreadTitle', { count: 2, title }));
      }
      await choose(chatRow(alice, 'Bob'), t('chatMenu.muteAlways'));
      // A message that overtakes the setting would alert the other device.
      for (const page of devices) {
        await expect(chatRow(page, 'Bob')).toContainText(t('chatList.muted'));
      }
      await sendOverHttp(bob, 'Alice', 'quietly');
      for (const page of devices) {
        await expect(chatRow(page, 'Bob')).toContainText('quietly');
        await expect(chatRow(page, 'Bob')).toContainText(t('chatList.muted'));
        await expect(page).toHaveTitle(t('app.unreadTitle', { count: 1, title }));
        await expect(page.getByRole('log')).not.toContainText('quietly');
      }
      await choose(chatRow(alice, 'Bob'), t('chatMenu.unmute'));
      for (const page of devices) {
        await expect(page).toHaveTitle(t('app.unreadTitle', { count: 3, title }));
      }
    });

    await test.step('a chat is marked as read and as unread', async () => {
      await choose(chatRow(alice, 'Carol'), t('chatMenu.markRead'));
      for (const page of devices) {
        await expect(page).toHaveTitle(t('app.unreadTitle', { count: 2, title }));
      }
      await choose(chatRow(alice, 'Carol'), t('chatMenu.markUnread'));
      for (const page of devices) {
        await expect(chatRow(page, 'Carol')).toContainText(t('chatList.markedUnread'));
      }
      await chatRow(phone, 'Carol').click();
      await expect(message(phone, 'from Carol')).toBeVisible();
      await expect(chatRow(alice, 'Carol')).not.toContainText(t('chatList.markedUnread'));
      await phone.goBack();
    });

    await test.step('an archived chat is in a section until the partner writes', async () => {
      await holdToasts(alice);
      await choose(chatRow(alice, 'Bob'), t('chatMenu.archive'));
      const section = alice.getByRole('button', { name: t('chatList.archived', { count: 1 }) });
      for (const page of devices) await expectOrder(page, 'Carol');
      await expect(alice).toHaveTitle(title);
      await section.click();
      await expectOrder(alice, 'Carol', 'Bob');
      await expect(chatRow(alice, 'Bob')).not.toContainText(t('chatList.pinned'));
      await section.click();
      await alice.getByRole('button', { name: t('chatMenu.undo') }).click();
      for (const page of devices) await expectOrder(page, 'Bob', 'Carol');
      await expect(chatRow(phone, 'Bob')).toContainText(t('chatList.pinned'));
      await choose(chatRow(alice, 'Bob'), t('chatMenu.archive'));
      for (const page of devices) await expectOrder(page, 'Carol');
      await sendOverHttp(bob, 'Alice', 'I am back');
      for (const page of devices) await expectOrder(page, 'Bob', 'Carol');
    });
  });
}

test('settings that are made offline are kept, and sent later', async ({ server, newPage }) => {
  const [alice, bob, carol] = [await newPage(), await newPage(), await newPage()];
  const user = await signUpOverHttp(alice, server, 'Alice');
  for (const [page, name] of [
    [bob, 'Bob'],
    [carol, 'Carol'],
  ] as const) {
    await signInOverHttp(page, server, name);
    await sendOverHttp(page, 'Alice', `from ${name}`);
  }
  const other = await signInElsewhere(await newPage(), user);
  await expectOrder(alice, 'Carol', 'Bob');
  await alice.context().setOffline(true);
  await choose(chatRow(alice, 'Bob'), t('chatMenu.pin'));
  await choose(chatRow(alice, 'Carol'), t('chatMenu.archive'));
  await expectOrder(alice, 'Bob');
  // A message that she does not know yet takes the chat out of the archive.
  await sendOverHttp(carol, 'Alice', 'unknown');
  await alice.context().setOffline(false);
  for (const page of [alice, other]) {
    await expectOrder(page, 'Bob', 'Carol');
    await expect(chatRow(page, 'Bob')).toContainText(t('chatList.pinned'));
    await expect(chatRow(page, 'Carol')).toContainText('unknown');
  }
});

test('a mute ends by itself', async ({ server, newPage }) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await signInOverHttp(alice, server, 'Alice');
  await signInOverHttp(bob, server, 'Bob');
  await sendOverHttp(bob, 'Alice', 'Hello');
  await alice.clock.install();
  await alice.goto('/chatarea');
  const row = chatRow(alice, 'Bob');
  await choose(row, t('chatMenu.mute8Hours'));
  await expect(row).toContainText(t('chatList.muted'));
  await alice.clock.fastForward(8 * HOUR - 60_000);
  await expect(row).toContainText(t('chatList.muted'));
  await alice.clock.fastForward(61_000);
  await expect(row).not.toContainText(t('chatList.muted'));
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

test('the list shows drafts of chats that are not open, and messages that were not sent', async ({
  server,
  newPage,
}) => {
  const [alice, bob, carol] = [await newPage(), await newPage(), await newPage()];
  await signInOverHttp(alice, server, 'Alice');
  for (const [page, name] of [
    [bob, 'Bob'],
    [carol, 'Carol'],
  ] as const) {
    await signInOverHttp(page, server, name);
    await sendOverHttp(page, 'Alice', `from ${name}`);
  }
  await alice.goto('/chatarea');
  await chatRow(alice, 'Bob').click();
  await textBox(alice).fill('An unfinished thought');
  await expect(chatRow(alice, 'Bob')).not.toContainText(t('chatList.draft'));
  await chatRow(alice, 'Carol').click();
  await expect(chatRow(alice, 'Bob')).toContainText(t('chatList.draft'));
  await expect(chatRow(alice, 'Bob')).toContainText('An unfinished thought');

  await alice.route('**/api/messages/send', (route) =>
    route.fulfill({ status: 403, json: { code: 'quota_messages', errorMessage: 'no' } }),
  );
  await textBox(alice).fill('too much');
  await textBox(alice).press('Enter');
  await expect(chatRow(alice, 'Carol')).toContainText(t('chatList.notSent'));
});

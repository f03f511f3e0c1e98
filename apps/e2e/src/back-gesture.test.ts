import type { Page } from 'playwright/test';
import { sendOverHttp, type BrowserUser } from './support/browser-user.ts';
import { message, messages, textBox } from './support/chat.ts';
import { longPress, PHONE } from './support/phone.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test, type NewPage } from './support/test.ts';
import { createTranslator } from './support/texts.ts';
import type { HostedServer } from '@parley/testing';

const t = createTranslator('en');

/** Opens a chatroom from the chat list on a phone. */
async function openFromList(newPage: NewPage, server: HostedServer) {
  const { alice, room } = await openChatroom(newPage, server, PHONE);
  const { page } = alice;
  await page.goto('/chatarea');
  await page.locator('[data-chat]').first().tap();
  await expect(messages(page).last()).toBeVisible();
  return { page, room };
}

const expectPath = (page: Page, path: string) =>
  expect(page).toHaveURL((url) => url.pathname === path);

/** Resolves once what was opened has its entry in the history. */
const waitForLayers = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate(() => (history.state as { usr?: { layers?: number } }).usr?.layers ?? 0),
    )
    .toBe(count);

/**
 * Opens a chatroom from the chat list on a phone, and catches the notifications of its page. Without a service worker,
 * the page shows them by itself. Tests cannot reach the system's.
 */
async function openWithNotifications(newPage: NewPage, server: HostedServer) {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, {
    ...PHONE,
    bobOpens: 'nothing',
  });
  const { page } = alice;
  await page.addInitScript(() => {
    class ShownNotification extends EventTarget {
      static readonly permission = 'granted';
      constructor() {
        super();
        Object.assign(globalThis, { shownNotification: this });
      }
      close(): void {}
    }
    Object.assign(globalThis, { Notification: ShownNotification });
  });
  await page.goto('/chatarea');
  await page.locator('[data-chat]').first().tap();
  return { page, bob, room };
}

/** Makes the page believe that the user has switched to another window, and lets Bob send a message meanwhile. */
async function receiveNotification(page: Page, bob: BrowserUser): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false });
    window.dispatchEvent(new Event('blur'));
  });
  await sendOverHttp(bob.page, 'Alice', 'Hello Alice!');
  await page.waitForFunction(() => 'shownNotification' in globalThis);
}

/** Clicks the notification that was shown last. */
async function clickNotification(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { shownNotification } = globalThis as unknown as { shownNotification: EventTarget };
    shownNotification.dispatchEvent(new Event('click'));
  });
}

test('a notification of the open chatroom closes a menu, and leaves the search open @long', async ({
  server,
  newPage,
}) => {
  const { page, bob, room } = await openWithNotifications(newPage, server);
  await page.getByRole('button', { name: t('roomSearch.title'), exact: true }).tap();
  const bar = page.getByRole('search', { name: t('roomSearch.title') });
  await expect(bar).toBeVisible();
  await waitForLayers(page, 1);
  await receiveNotification(page, bob);
  await page.getByRole('button', { name: t('room.menu') }).tap();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await waitForLayers(page, 2);

  await clickNotification(page);
  await expect(menu).toHaveCount(0);
  await expect(message(page, 'Hello Alice!')).toBeInViewport();
  await waitForLayers(page, 1);
  await expect(bar).toBeVisible();
  await page.goBack();
  await expect(bar).toHaveCount(0);
  await expectPath(page, room);
  await page.goBack();
  await expectPath(page, '/chatarea');
});

test('a notification of the open chatroom leaves a half-written report open @long', async ({
  server,
  newPage,
}) => {
  const { page, bob, room } = await openWithNotifications(newPage, server);
  await sendOverHttp(bob.page, 'Alice', 'Pay, or else');
  await expect(message(page, 'Pay, or else')).toBeVisible();
  await page.getByRole('button', { name: t('room.menu') }).tap();
  await page.getByRole('menuitem', { name: t('room.report') }).tap();
  const report = page.getByRole('dialog', { name: t('report.title', { name: 'Bob' }) });
  const chosen = report.getByRole('checkbox', { name: /Pay, or else/ });
  const comment = report.getByRole('textbox', { name: t('report.comment') });
  await chosen.tap();
  await comment.fill('He wrote this');
  await waitForLayers(page, 1);

  await receiveNotification(page, bob);
  await clickNotification(page);
  // The notification has led to the chatroom.
  await page.waitForFunction(
    () => (history.state as { usr?: { unreadWantedAt?: number } }).usr?.unreadWantedAt,
  );
  await waitForLayers(page, 1);
  await expect(chosen).toBeChecked();
  await expect(comment).toHaveValue('He wrote this');
  await page.goBack();
  await expect(report).toHaveCount(0);
  await expectPath(page, room);
  await page.goBack();
  await expectPath(page, '/chatarea');
});

test('a link in a menu leaves no entry to which going back leads @long', async ({
  server,
  newPage,
}) => {
  const { page } = await openFromList(newPage, server);
  await page.goBack();
  await expectPath(page, '/chatarea');
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).tap();
  await waitForLayers(page, 1);
  await page.getByRole('menuitem', { name: t('frame.settings') }).tap();
  await expectPath(page, '/settings');
  await page.goBack();
  await expectPath(page, '/chatarea');
  await waitForLayers(page, 0);
  await expect(page.getByRole('menu')).toHaveCount(0);

  await test.step('a reload with an open dialog closes it', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: t('settings.delete') }).tap();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await waitForLayers(page, 1);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await waitForLayers(page, 0);
    await page.goBack();
    await expectPath(page, '/chatarea');
  });
});

test('with a mouse, going back leaves the screen @long', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await page.goto('/settings');
  await page.goto(room);
  await page.getByRole('button', { name: t('room.menu') }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.goBack();
  await expectPath(page, '/settings');
});

test('the device vibrates for gestures only, and not before the first tap @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage(PHONE);
  await page.addInitScript(() => {
    const calls: unknown[] = [];
    Object.assign(globalThis, { vibrations: calls });
    Object.defineProperty(navigator, 'vibrate', {
      value: (pattern: unknown) => calls.push([navigator.userActivation.hasBeenActive, pattern]),
    });
  });
  const opened = await openChatroom(() => Promise.resolve(page), server);
  const vibrations = () =>
    page.evaluate(() => (globalThis as unknown as { vibrations: unknown[] }).vibrations);
  await textBox(opened.alice.page).tap();
  expect(await vibrations()).toEqual([]);
  await longPress(message(page, 'Hello Bob!'));
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await vibrations()).toEqual([[true, 10]]);
});

import type { CDPSession, Locator, Page } from 'playwright/test';
import { sendOverHttp } from './support/browser-user.ts';
import { message, messages, sendText, textBox } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom, openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, type Translator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the open menu. */
function menu(page: Page): Locator {
  return page.getByRole('menu');
}

function menuItem(page: Page, name: string): Locator {
  return menu(page).getByRole('menuitem', { name, exact: true });
}

/** Expects the open menu to have exactly these entries, given by the keys of their texts. */
async function expectEntries(page: Page, t: Translator, ...keys: string[]): Promise<void> {
  // The quick reactions are in a group.
  const entries = menu(page).locator('[role="menuitem"]:not([role="group"] *)');
  await expect(entries).toHaveText(keys.map((key) => t(`message.${key}`)));
}

/** Opens the menu of a message with a right click. */
async function openMenu(bubble: Locator): Promise<void> {
  await bubble.click({ button: 'right', position: { x: 12, y: 12 } });
  await expect(menu(bubble.page())).toBeVisible();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a right click on a message opens its menu (${language})`, async ({ server, newPage }) => {
    const { alice, bob } = await openSharedChatroom(newPage, server, {
      language,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const hello = 'Hello Bob!';

    await test.step("the partner's text can be copied", async () => {
      await openMenu(message(bob.page, hello));
      await expectEntries(bob.page, t, 'reply', 'copyText', 'copyLink', 'forward', 'details');
      await menuItem(bob.page, t('message.copyText')).click();
      await expect(bob.page.getByText(t('message.copied'))).toBeVisible();
      expect(await bob.page.evaluate(() => navigator.clipboard.readText())).toBe(hello);
      await expect(menu(bob.page)).toHaveCount(0);
    });

    await test.step('the focus stays in the text box', async () => {
      const box = textBox(bob.page);
      await box.fill('A draft');
      await openMenu(message(bob.page, hello));
      await bob.page.keyboard.press('Escape');
      await expect(menu(bob.page)).toHaveCount(0);
      await expect(box).toBeFocused();
      await expect(box).toHaveValue('A draft');
    });

    await test.step("the user's own text can be edited, and the details tell when", async () => {
      const { page } = alice;
      await openMenu(message(page, hello));
      await expectEntries(
        page,
        t,
        'reply',
        'copyText',
        'copyLink',
        'forward',
        'edit',
        'delete',
        'details',
      );
      await menuItem(page, t('message.edit')).click();
      await expect(textBox(page)).toBeFocused();
      await expect(textBox(page)).toHaveValue(hello);
      await sendText(page, 'Hello, Bob.');
      const edited = message(bob.page, 'Hello, Bob.');
      await expect(edited).toContainText(t('message.updated'));
      await openMenu(edited);
      await menuItem(bob.page, t('message.details')).click();
      const dialog = bob.page.getByRole('dialog', { name: t('message.detailsTitle') });
      await expect(dialog.getByRole('term')).toHaveText([
        t('message.sentAt'),
        t('message.editedAt'),
      ]);
      const time = language === 'en' ? /\d{1,2}:\d{2}\s[AP]M$/ : /\d{2}:\d{2}$/;
      await expect(dialog.getByRole('definition')).toHaveText([time, time]);
      await bob.page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(textBox(bob.page)).toBeFocused();
    });

    await test.step("the user's own text can be deleted", async () => {
      const { page } = alice;
      await openMenu(message(page, 'Hello, Bob.'));
      await menuItem(page, t('message.delete')).click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog.getByRole('button', { name: t('app.cancel') })).toBeFocused();
      await dialog.getByRole('button', { name: t('app.delete') }).click();
      for (const { page: device } of [alice, bob]) {
        await expect(messages(device)).toHaveCount(0);
      }
      await expect(textBox(page)).toBeFocused();
    });
  });

  test(`a long press lifts a message and opens its menu (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, room } = await openChatroom(newPage, server, { language, ...PHONE });
    const { page } = alice;
    await sendFile(page, room, 'image', createPng(400, 300));
    await expect(messages(page)).toHaveCount(2);
    const touch = await page.context().newCDPSession(page);
    const bubble = message(page, 'Hello Bob!');
    const picture = messages(page).last();

    await test.step('the menu stays open after the finger is lifted, and a tap outside closes it', async () => {
      const lifted = () => bubble.evaluate((element) => getComputedStyle(element).transform);
      const finger = await pressLong(touch, bubble);
      await expectEntries(
        page,
        t,
        'reply',
        'copyText',
        'copyLink',
        'forward',
        'edit',
        'delete',
        'details',
      );
      expect(await lifted()).not.toBe('none');
      await finger.lift();
      await expect(menu(page)).toBeVisible();
      await page.touchscreen.tap(180, 100);
      await expect(menu(page)).toHaveCount(0);
      await expect.poll(lifted).toBe('none');
    });

    await test.step('an image is not opened, neither by the press nor by the tap outside', async () => {
      const finger = await pressLong(touch, picture);
      await expectEntries(
        page,
        t,
        'reply',
        'saveImage',
        'copyLink',
        'forward',
        'delete',
        'details',
      );
      await finger.lift();
      const { x = 0, y = 0 } = (await picture.boundingBox()) ?? {};
      const { y: top = 0 } = (await menu(page).boundingBox()) ?? {};
      expect(Math.abs(top - y)).toBeGreaterThan(10);
      await page.touchscreen.tap(x + 10, y + 10);
      await expect(menu(page)).toHaveCount(0);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await picture.tap();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('the entries are large enough for touch', async () => {
      const finger = await pressLong(touch, bubble);
      await finger.lift();
      for (const entry of await menu(page).getByRole('menuitem').all()) {
        const { height = 0 } = (await entry.boundingBox()) ?? {};
        expect(Math.round(height)).toBeGreaterThanOrEqual(44);
      }
      await menuItem(page, t('message.details')).tap();
      await expect(page.getByRole('dialog', { name: t('message.detailsTitle') })).toBeVisible();
    });
  });
}

interface Finger {
  lift: () => Promise<unknown>;
}

/** Puts a finger on an element. Returns functions that move and lift it. */
async function putFinger(touch: CDPSession, element: Locator, at?: number) {
  const { x = 0, y = 0, height = 0 } = (await element.boundingBox()) ?? {};
  const point = { x: Math.round(x + 20), y: Math.round(at ?? y + height / 2) };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: object[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points as [] });
  await send('touchStart', [point]);
  return {
    move: (by: number) => send('touchMove', [{ ...point, y: point.y + by }]),
    lift: () => send('touchEnd', []),
  };
}

/** Presses an element until its menu opens. */
async function pressLong(touch: CDPSession, element: Locator): Promise<Finger> {
  await element.scrollIntoViewIfNeeded();
  const finger = await putFinger(touch, element);
  await expect(menu(element.page())).toBeVisible();
  return finger;
}

test('scrolling, a short tap and a press on a link do not open the menu @long', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server, PHONE);
  const { page } = alice;
  await sendOverHttp(page, 'Bob', 'https://parley.example/');
  await goToChatroom(page, room);
  const touch = await page.context().newCDPSession(page);
  await page.clock.install();
  // Longer than a long press.
  const wait = () => page.clock.runFor(1_000);

  const moved = await putFinger(touch, message(page, 'Hello Bob!'));
  await moved.move(-30);
  await wait();
  await moved.lift();
  await expect(menu(page)).toHaveCount(0);

  await message(page, 'Hello Bob!').tap();
  await wait();
  await expect(menu(page)).toHaveCount(0);

  const held = await putFinger(
    touch,
    page.getByRole('link', { name: 'https://parley.example/', exact: true }),
  );
  await wait();
  await expect(menu(page)).toHaveCount(0);
  await held.move(60);
  await held.lift();
});

test('images and recordings can be saved', async ({ server, newPage }) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  await sendFile(alice.page, room, 'image', createPng(400, 300));
  await sendFile(alice.page, room, 'audio', createWav(1));
  const { page } = bob;
  await expect(messages(page)).toHaveCount(3);
  for (const [index, key, name] of [
    [1, 'saveImage', /\.png$/],
    [2, 'saveRecording', /\.wav$/],
  ] as const) {
    await openMenu(messages(page).nth(index));
    await expectEntries(page, t, 'reply', key, 'copyLink', 'forward', 'details');
    const download = page.waitForEvent('download');
    await menuItem(page, t(`message.${key}`)).click();
    expect((await download).suggestedFilename()).toMatch(name);
    await expect(menu(page)).toHaveCount(0);
  }
});

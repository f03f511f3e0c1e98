import { isLongRun } from '@parley/testing/scope';
import type { Locator } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { chatRow, message, textBox } from './support/chat.ts';
import { findOverflowing } from './support/find-overflowing.ts';
import { pressWithKeyboard, focusWithKeyboard, typeWithKeyboard } from './support/keyboard.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { createBrowserUser, registerOverHttp } from './support/browser-user.ts';
import { visitScreens } from './support/visit-screens.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };
const SMALL = { width: 320, height: 640 };
/** The viewport of a window of 1280 × 1024 at a zoom of 400%. */
const ZOOMED = { width: 320, height: 256 };

const softly = expect.configure({ soft: true });

for (const viewport of [NARROW, WIDE]) {
  test(`axe finds no violations on any screen, light or dark, and none scrolls sideways if it is zoomed (${viewport.width} pixels wide)${viewport === WIDE ? '' : ' @long'}`, async ({
    server,
    newPage,
  }) => {
    await visitScreens(newPage, server, { viewport }, async (page, screen) => {
      await expectNoViolationsInAllLooks(page, screen, (axe) => axe.withTags(TAGS));
      for (const size of isLongRun ? [SMALL, ZOOMED] : [ZOOMED]) {
        await page.setViewportSize(size);
        const message = `${screen} at ${size.width} × ${size.height}`;
        await softly.poll(() => findOverflowing(page), { message }).toEqual([]);
      }
      await page.setViewportSize(viewport);
    });
  });
}

test('a user can register, chat, change settings and delete the account with the keyboard alone', async ({
  server,
  newPage,
}) => {
  await registerOverHttp(server, 'Bob');
  const page = await newPage();
  const { email, username, password } = createBrowserUser(page, 'Alice');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const radio = (name: string) => page.getByRole('radio', { name });

  await test.step('register, verify and log in', async () => {
    await page.goto('/register');
    await typeWithKeyboard(page, field(t('field.email')), email);
    await typeWithKeyboard(page, field(t('field.username')), username);
    await typeWithKeyboard(page, field(t('field.password')), password);
    await focusWithKeyboard(page, page.getByRole('checkbox'));
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox')).toBeChecked();
    await pressWithKeyboard(page, button(t('register.submit')));
    await page.waitForURL('**/register/verify');
    await typeWithKeyboard(page, field(t('field.email')), email);
    await typeWithKeyboard(page, field(t('verify.key')), await server.keyFor(email));
    await pressWithKeyboard(page, button(t('verify.submit')));
    await page.waitForURL((url) => url.pathname === '/');
    await typeWithKeyboard(page, field(t('field.email')), email);
    await typeWithKeyboard(page, field(t('field.password')), password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/chatarea');
  });

  await test.step('find a user and send, edit and delete a message', async () => {
    await pressWithKeyboard(page, page.getByRole('link', { name: t('findUser.open') }).first());
    await typeWithKeyboard(page, field(t('findUser.username')), 'Bob');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/new-chatroom/**');
    await typeWithKeyboard(page, textBox(page), 'Hello Bob!');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
    await expect(message(page, 'Hello Bob!')).toHaveAttribute('data-state', 'sent');
    await pressWithKeyboard(page, button(t('message.edit')));
    await expect(textBox(page)).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type(' How are you?');
    await page.keyboard.press('Enter');
    await expect(message(page, 'How are you?')).toContainText(t('message.updated'));
    await pressWithKeyboard(page, button(t('message.delete')));
    await pressWithKeyboard(
      page,
      page.getByRole('alertdialog').getByRole('button', { name: t('app.delete') }),
    );
    await expect(message(page, 'How are you?')).toHaveCount(0);
    await expect(textBox(page)).toBeFocused();
  });

  await test.step('change the volume and the language, and back', async () => {
    await pressWithKeyboard(page, button(t('frame.menu', { name: username })));
    await expect(page.getByRole('menu')).toBeVisible();
    await focusWithKeyboard(
      page,
      page.getByRole('menuitem', { name: t('frame.settings') }),
      'ArrowDown',
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings');
    await focusWithKeyboard(page, radio(t('settings.volumeMiddle')));
    await page.keyboard.press('ArrowRight');
    await expect(radio(t('settings.volumeLoud'))).toBeChecked();
    await page.keyboard.press('ArrowLeft');
    await expect(radio(t('settings.volumeMiddle'))).toBeChecked();
    await focusWithKeyboard(page, radio('English'), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(createTranslator('de')('settings.title'));
    await page.keyboard.press('ArrowLeft');
    await expect(heading).toHaveText(t('settings.title'));
  });

  await test.step('delete the account', async () => {
    await pressWithKeyboard(page, button(t('settings.delete')));
    const confirmation = page.getByRole('alertdialog');
    await expect(
      confirmation.getByRole('button', { name: t('settings.deleteCancel') }),
    ).toBeFocused();
    await pressWithKeyboard(
      page,
      confirmation.getByRole('button', { name: t('settings.deleteConfirm') }),
    );
    await page.waitForURL((url) => url.pathname === '/');
  });
});

for (const viewport of [NARROW, WIDE]) {
  test(`the focus follows the navigation and returns after dialogs (${viewport.width} pixels wide)${viewport === WIDE ? '' : ' @long'}`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await openChatroom(newPage, server, { viewport });
    const { page } = alice;
    const heading = page.getByRole('heading', { level: 1 });
    const hasFocusedElement = () => page.evaluate(() => document.activeElement !== document.body);
    const expectFocusToReturn = async (opener: Locator) => {
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await expect(opener).toBeFocused();
    };

    await expectFocusToReturn(page.getByRole('button', { name: t('message.delete') }));
    await page.goto('/chatarea');
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    await expect(page.getByLabel(t('findUser.username'), { exact: true })).toBeFocused();
    await page.getByRole('link', { name: t('findUser.close') }).click();
    await expect(heading).toBeFocused();
    for (const name of ['profile', 'settings', 'about']) {
      await page.goto('/chatarea');
      await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
      await page.getByRole('menuitem', { name: t(`frame.${name}`) }).click();
      await expect(heading).toHaveText(t(`${name}.title`));
      await expect(heading).toBeFocused();
    }
    await page.goto('/settings');
    await expectFocusToReturn(page.getByRole('button', { name: t('settings.delete') }));
    await page.goto('/chatarea');
    await chatRow(page, 'Bob').click();
    await expect(message(page, 'Hello Bob!')).toBeVisible();
    await expect.poll(hasFocusedElement).toBe(true);
  });
}

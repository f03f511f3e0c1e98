import { expectNoViolations, expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { textBox } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES } from './support/texts.ts';

const NARROW = { width: 360, height: 740 };

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`shortcuts find, open and change chats without taking what the user types (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    const alice = await signInOverHttp(page, server, 'Alice', language);
    const rooms: Record<string, string> = {};
    for (const name of ['Carla', 'Bob', 'Anna']) {
      await registerOverHttp(server, name, language);
      rooms[name] = `/chatarea/chats/${await sendOverHttp(page, name, `Hello ${name}!`)}`;
    }
    await goToChatroom(alice.page, rooms['Anna'] ?? '');
    const heading = page.getByRole('heading', { level: 1 });
    const switcher = page.getByRole('combobox', { name: t('switcher.title') });
    const options = page.getByRole('option');

    await test.step('Ctrl+K opens the switcher with the recent chats', async () => {
      await textBox(page).fill('unsent');
      await textBox(page).press('Control+Shift+K');
      await expect(switcher).toHaveCount(0);
      await textBox(page).press('Control+k');
      await expect(switcher).toBeFocused();
      await expect(options).toHaveText(['Anna', 'Bob', 'Carla']);
      // The latest chat that is not open.
      await expect(page.getByRole('option', { selected: true })).toHaveText('Bob');
      await expectNoViolationsInAllLooks(page);
      await page.keyboard.press('Escape');
      await expect(switcher).toHaveCount(0);
      await expect(textBox(page)).toBeFocused();
      await expect(textBox(page)).toHaveValue('unsent');
    });

    await test.step('the arrow keys select, and a new message does not change what is selected', async () => {
      await page.keyboard.press('Control+k');
      await expect(switcher).toBeFocused();
      await page.keyboard.press('ArrowDown');
      const selected = page.getByRole('option', { selected: true });
      await expect(selected).toHaveText('Carla');
      await sendOverHttp(page, 'Bob', 'To the top');
      await expect(options).toHaveText(['Bob', 'Anna', 'Carla']);
      await expect(selected).toHaveText('Carla');
      await page.keyboard.press('ArrowDown');
      await expect(selected).toHaveText('Bob');
    });

    await test.step('typing finds chats, and Enter opens one', async () => {
      await page.keyboard.type('zzz');
      await expect(options).toHaveCount(0);
      await expect(page.getByText(t('search.none'), { exact: true }).first()).toBeVisible();
      await switcher.fill('car');
      await expect(options).toHaveText(['Carla']);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL((url) => url.pathname === rooms['Carla']);
      await expect(switcher).toHaveCount(0);
      await expect(heading).toHaveText('Carla');
    });

    await test.step('Alt with the arrow keys opens the chats beside it, from the text box as well', async () => {
      await textBox(page).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expect(heading).toHaveText('Anna');
      await expect(textBox(page)).toHaveValue('unsent');
      await textBox(page).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expect(heading).toHaveText('Bob');
      // There is none above it.
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowDown');
      await expect(heading).toHaveText('Anna');
    });

    await test.step('the question mark shows all shortcuts, but not while typing', async () => {
      await textBox(page).fill('');
      await textBox(page).press('?');
      await expect(textBox(page)).toHaveValue('?');
      await textBox(page).fill('');
      await heading.focus();
      await page.keyboard.press('Shift+?');
      const dialog = page.getByRole('dialog', { name: t('shortcuts.title') });
      await expect(dialog).toBeVisible();
      await expect(dialog.getByText(t('shortcuts.switch'))).toBeVisible();
      await expectNoViolations(page);
      // Dialogs have keys of their own.
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Alt+ArrowUp');
      await expect(switcher).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(heading).toHaveText('Anna');
      await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
      await page.getByRole('menuitem', { name: t('shortcuts.title') }).click();
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    });

    await test.step('Home, End and the arrow keys move the focus in the chat list', async () => {
      const rows = page.locator('[data-chat]');
      await rows.first().focus();
      await page.keyboard.press('End');
      await expect(rows.filter({ hasText: 'Carla' })).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(rows.filter({ hasText: 'Anna' })).toBeFocused();
      await page.keyboard.press('Home');
      await expect(rows.filter({ hasText: 'Bob' })).toBeFocused();
    });
  });
}

const t = createTranslator('en');

test('Escape closes the chat on narrow windows, but not while typing @long', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openSharedChatroom(newPage, server, {
    viewport: NARROW,
    bobOpens: 'nothing',
  });
  const { page } = alice;
  await textBox(page).press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: t('switcher.title') })).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox', { name: t('switcher.title') })).toHaveCount(0);
  await expect(page).toHaveURL((url) => url.pathname === room);
  await page.getByRole('article').last().focus();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL((url) => url.pathname === '/chatarea');

  await test.step('a tooltip does not use Escape up', async () => {
    await page.goBack();
    await page.getByRole('button', { name: t('room.menu'), exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByText(t('room.menu'), { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
  });
});

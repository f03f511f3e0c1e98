import { textBox } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const NARROW = { width: 360, height: 740 };

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

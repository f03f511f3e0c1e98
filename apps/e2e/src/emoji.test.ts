import { chatRow, message, textBox } from './support/chat.ts';
import { twoInRoom } from './support/pair.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGES, words } from './support/texts.ts';

for (const language of LANGUAGES) {
  const t = words(language);

  test(`the emoji picker offers its categories and puts emoji at the cursor (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob } = await twoInRoom(newPage, server, { language });
    const { page } = alice;
    const box = textBox(page);
    const toggle = page.getByRole('button', { name: t('composer.emoji') });
    const panel = page.getByRole('dialog', { name: t('composer.emoji') });

    const rocket = language === 'en' ? 'rocket' : 'Rakete';
    /** The first of the buttons that show an emoji: the row above the picker. */
    const quick = (emoji: string) =>
      panel
        .getByRole('button')
        .filter({ hasText: new RegExp(`^${emoji}$`, 'u') })
        .first();

    await test.step('it opens above the input, 500 pixels wide, in the language', async () => {
      await box.fill('Hello world');
      await box.press('Home');
      for (let i = 0; i < 5; i++) await box.press('ArrowRight');
      await toggle.click();
      const picker = panel.locator('.EmojiPickerReact');
      await expect(picker).toBeVisible();
      const bounds = await picker.boundingBox();
      expect(bounds?.width).toBe(500);
      const bar = await box.boundingBox();
      expect((bounds?.y ?? 0) + (bounds?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      await expect(panel.getByPlaceholder(t('emoji.search'))).toBeVisible();
    });

    await test.step('every category is there, and the quick ones', async () => {
      const tabs = panel.getByRole('tablist');
      const categories = ['custom', 'people', 'animals', 'food', 'travel', 'activities'];
      for (const key of [...categories, 'objects', 'symbols', 'flags']) {
        await expect(tabs.getByRole('tab', { name: t(`emoji.${key}`) })).toBeAttached();
      }
      for (const emoji of ['👍', '❤️', '😃', '😢', '🙏', '👎', '😡']) {
        await expect(quick(emoji)).toBeVisible();
      }
      await expect(
        panel.getByRole('button', { name: /skin tone|Hautton/i }).first(),
      ).toBeAttached();
    });

    await test.step('a search finds by the words of the language', async () => {
      await panel.getByPlaceholder(t('emoji.search')).fill(rocket);
      await panel.getByRole('gridcell', { name: rocket, exact: true }).click();
      await expect(box).toHaveValue('Hello🚀 world');
      await quick('👍').click();
      await expect(box).toHaveValue('Hello🚀👍 world');
      await panel
        .getByRole('img', { name: t('emoji.circassia') })
        .first()
        .click();
      await expect(box).toHaveValue('Hello🚀👍:circassia: world');
    });

    await test.step('what was used is remembered in this browser', async () => {
      await page.keyboard.press('Escape');
      await expect(panel).toHaveCount(0);
      await expect(box).toBeFocused();
      await page.reload();
      await toggle.click();
      await expect(panel.getByPlaceholder(t('emoji.search'))).toBeFocused();
      const recent = panel.getByRole('rowgroup', { name: t('emoji.suggested') });
      await expect(recent.getByRole('gridcell', { name: rocket, exact: true })).toBeVisible();
      const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
      expect(kept).toContain('1f680');
      await page.keyboard.press('Escape');
      await expect(box).toBeFocused();
    });

    await test.step('the flag is a picture in the message', async () => {
      await box.press('Enter');
      const bubble = message(bob.page, 'Hello🚀👍');
      await expect(bubble.getByRole('img', { name: t('emoji.circassia') })).toBeVisible();
      await expect(bubble).not.toContainText(':circassia:');
      const row = chatRow(bob.page, 'Alice');
      await expect(row.getByRole('img', { name: t('emoji.circassia') })).toBeVisible();
    });
  });
}

test('narrow windows have no picker', async ({ server, newPage }) => {
  const { alice } = await twoInRoom(newPage, server, { viewport: { width: 1023, height: 800 } });
  await expect(textBox(alice.page)).toBeVisible();
  await expect(alice.page.getByRole('button', { name: 'Emoji' })).toHaveCount(0);
  await alice.page.setViewportSize({ width: 1024, height: 800 });
  await expect(alice.page.getByRole('button', { name: 'Emoji' })).toBeVisible();
});

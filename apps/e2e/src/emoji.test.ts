import { chatRow, message, textBox } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { processTest } from './support/process-test.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the emoji picker shows its categories and inserts emoji at the cursor (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob } = await openSharedChatroom(newPage, server, { language });
    const { page } = alice;
    const box = textBox(page);
    const toggle = page.getByRole('button', { name: t('composer.emoji') });
    const panel = page.getByRole('dialog', { name: t('composer.emoji') });

    const rocket = language === 'en' ? 'rocket' : 'Rakete';
    /** Returns the quick button of an emoji, in the row above the picker. */
    const quickButton = (emoji: string) =>
      panel
        .getByRole('button')
        .filter({ hasText: new RegExp(`^${emoji}$`, 'u') })
        .first();

    await test.step('the picker opens above the input, is 500 pixels wide and uses the language of the interface', async () => {
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

    await test.step('the picker shows every category and the quick emoji', async () => {
      const tabs = panel.getByRole('tablist');
      const categories = ['custom', 'people', 'animals', 'food', 'travel', 'activities'];
      for (const key of [...categories, 'objects', 'symbols', 'flags']) {
        await expect(tabs.getByRole('tab', { name: t(`emoji.${key}`) })).toBeAttached();
      }
      for (const emoji of ['👍', '❤️', '😃', '😢', '🙏', '👎', '😡']) {
        await expect(quickButton(emoji)).toBeVisible();
      }
      await expect(
        panel.getByRole('button', { name: /skin tone|Hautton/i }).first(),
      ).toBeAttached();
    });

    await test.step('the search finds emoji by their names in the language', async () => {
      await panel.getByPlaceholder(t('emoji.search')).fill(rocket);
      await panel.getByRole('gridcell', { name: rocket, exact: true }).click();
      await expect(box).toHaveValue('Hello🚀 world');
      await quickButton('👍').click();
      await expect(box).toHaveValue('Hello🚀👍 world');
      await panel
        .getByRole('img', { name: t('emoji.circassia') })
        .first()
        .click();
      await expect(box).toHaveValue('Hello🚀👍:circassia: world');
    });

    await test.step('the picker shows recently used emoji after a reload', async () => {
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

    await test.step('the custom flag is shown as an image in messages and previews', async () => {
      await box.press('Enter');
      const bubble = message(bob.page, 'Hello🚀👍');
      await expect(bubble.getByRole('img', { name: t('emoji.circassia') })).toBeVisible();
      await expect(bubble).not.toContainText(':circassia:');
      const row = chatRow(bob.page, 'Alice');
      await expect(row.getByRole('img', { name: t('emoji.circassia') })).toBeVisible();
    });
  });
}

// The images of emoji are in the build of the server.
processTest(
  'the chosen emoji style is used in messages, previews and the picker of this device @long',
  async ({ server, newPage }) => {
    const t = createTranslator('en');
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
    const { page } = alice;
    await sendOverHttp(bob.page, 'Alice', 'Look 🚀, a flag 🇩🇪');
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/emoji/')) requested.push(new URL(request.url()).pathname);
    });
    await goToChatroom(page, room);
    const bubble = message(page, 'Look');
    await expect(bubble).toContainText('Look 🚀, a flag 🇩🇪');
    expect(requested).toEqual([]);

    await page.goto('/settings');
    const style = page.getByRole('radiogroup', { name: t('settings.emoji') });
    await expect(style.getByRole('radio', { name: 'Native' })).toBeChecked();
    await expect(style.getByRole('radio')).toHaveCount(3);
    for (const [name, set] of [
      ['Twitter', 'twitter'],
      ['Google', 'google'],
    ] as const) {
      await page.goto('/settings');
      await style.getByRole('radio', { name }).click();
      await expect(style.getByRole('radio', { name })).toBeChecked();
      await goToChatroom(page, room);
      const picture = (code: string) => `[data-drawn][style*="/api/emoji/${set}/${code}.svg"]`;
      await expect(bubble.locator(picture('1f680'))).toBeVisible();
      await expect(bubble.locator(picture('1f1e9-1f1ea'))).toBeVisible();
      await expect(chatRow(page, 'Bob').locator(picture('1f680'))).toBeVisible();
      // The text for copying and screen readers is the same as before.
      await expect(bubble).toContainText('Look 🚀, a flag 🇩🇪');
      const copied = await bubble.evaluate((element) => {
        getSelection()?.selectAllChildren(element);
        return String(getSelection());
      });
      expect(copied).toContain('Look 🚀, a flag 🇩🇪');

      await page.getByRole('button', { name: t('composer.emoji') }).click();
      const panel = page.getByRole('dialog', { name: t('composer.emoji') });
      const grin = panel.locator(`img[src*="/api/emoji/${set}/1f600.svg"]`).first();
      await expect(grin).toBeVisible();
      await expect
        .poll(() => grin.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      // Only visible emoji are fetched.
      expect(requested.length).toBeLessThan(400);
      await page.keyboard.press('Escape');
    }
    await expect(bob.page.locator('[data-drawn]')).toHaveCount(0);
    await page.goto('/settings');
    await style.getByRole('radio', { name: 'Native' }).click();
    await goToChatroom(page, room);
    await expect(bubble).toContainText('🚀');
    await expect(page.locator('[data-drawn]')).toHaveCount(0);
  },
);

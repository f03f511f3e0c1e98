import { chatRow, message } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { processTest } from './support/process-test.ts';
import { expect } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

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

import { message, waitForAnimations } from './support/chat.ts';
import { createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { expectFingerSize, expectNoSidewaysScroll, longPress, PHONE } from './support/phone.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the controls of forms and recordings are large enough for touch (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ ...PHONE, locale: localeOf(language) });
    await page.goto('/');
    await expectFingerSize(page.getByRole('link', { name: t('login.forgot') }));
    await page.goto('/register');
    const form = page.locator('form');
    await expectFingerSize(form.getByRole('link'));

    const { alice, bob, room } = await openSharedChatroom(newPage, server, { ...PHONE, language });
    await sendFile(alice.page, room, 'audio', createWav(3));
    const player = bob.page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
    await expectFingerSize(player.getByRole('button', { name: t('audio.play') }));
    await expectFingerSize(player.getByRole('slider', { name: t('audio.seek') }));
    await expectFingerSize(player.getByRole('button', { name: t('audio.speed', { speed: '1×' }) }));
  });

  test(`the controls of searches, menus and galleries are large enough for touch (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, room } = await openSharedChatroom(newPage, server, {
      ...PHONE,
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;

    await test.step('entries of the menu of a message', async () => {
      await longPress(message(page, 'Hello Bob!'));
      const menu = page.getByRole('menu');
      await expect(menu).toBeVisible();
      await waitForAnimations(page);
      const entries = menu.locator('[role^=menuitem]');
      expect(await entries.count()).toBeGreaterThan(10);
      for (const entry of await entries.all()) await expectFingerSize(entry);
      await page.goBack();
      await expect(menu).toHaveCount(0);
    });

    await test.step('tabs of the gallery', async () => {
      await page.goto(`${room}/media`);
      const tabs = page.getByRole('tab');
      await expect(tabs).toHaveCount(3);
      for (const tab of await tabs.all()) await expectFingerSize(tab);
      await expectNoSidewaysScroll(page, 'gallery');
    });

    await test.step('results, filters and days of the search', async () => {
      await page.goto('/chatarea');
      await page.getByRole('searchbox').fill('bob');
      const results = page.locator('[data-result]');
      // The chat and the message.
      await expect(results).toHaveCount(2);
      for (const result of await results.all()) await expectFingerSize(result);
      const filters = page.getByRole('group', { name: t('search.filters') });
      for (const filter of await filters.getByRole('button').all()) await expectFingerSize(filter);
      await filters.getByRole('button', { name: t('search.since') }).tap();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      await waitForAnimations(page);
      const days = dialog.locator('[data-day]');
      expect(await days.count()).toBeGreaterThanOrEqual(28);
      for (const day of await days.all()) await expectFingerSize(day);
      for (const button of await dialog.getByRole('button').all()) await expectFingerSize(button);
      await expectNoSidewaysScroll(page, 'calendar');
    });
  });
}

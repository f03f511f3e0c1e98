import type { Locator } from 'playwright/test';
import { createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

async function expectFingerSize(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
  expect(Math.round(width), `width of ${String(target)}`).toBeGreaterThanOrEqual(44);
  expect(Math.round(height), `height of ${String(target)}`).toBeGreaterThanOrEqual(44);
}

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
}

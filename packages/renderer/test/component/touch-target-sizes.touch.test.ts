import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { messageWith } from './support/locators.ts';
import { createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { holdFinger } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';
import { waitForLayers } from './support/wait-for-layers.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

/** Expects that controls are large enough for a finger, once they have their final size. */
async function expectTouchTargets(controls: Locator, minCount = 1): Promise<void> {
  await expect.poll(() => controls.elements().length).toBeGreaterThanOrEqual(minCount);
  const small = () =>
    controls
      .elements()
      .filter((control) => {
        const { width, height } = control.getBoundingClientRect();
        return Math.round(width) < 44 || Math.round(height) < 44;
      })
      .map(({ outerHTML }) => outerHTML);
  await expect.poll(small).toEqual([]);
}

function expectNoSidewaysScroll(): void {
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the controls of forms and recordings are large enough for touch (${language})`, async () => {
    const { reload } = await openApp({ ...PHONE, language });
    await expectTouchTargets(page.getByRole('link', { name: t('login.forgot') }));
    await reload('/register');
    await expectTouchTargets(page.getByCss('form').getByRole('link'));

    await openChatOf('Bob', { ...PHONE, language }, async (server, room) => {
      await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
    });
    const player = page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
    await expectTouchTargets(player.getByRole('button', { name: t('audio.play') }));
    await expectTouchTargets(player.getByRole('slider', { name: t('audio.seek') }));
    const speed = player.getByRole('button', { name: t('audio.speed', { speed: '1×' }) });
    await expectTouchTargets(speed);
  });

  test(`the controls of searches, menus and galleries are large enough for touch (${language})`, async () => {
    const { path, reload } = await openChatOf('Alice', { ...PHONE, language });
    const release = await holdFinger(messageWith('Hello Bob!'));
    await expect.element(messageMenu).toBeVisible();
    await release();
    await expectTouchTargets(messageMenu.getByCss('[role^=menuitem]'), 11);
    await waitForLayers(1);
    history.back();
    await expect.element(messageMenu).not.toBeInTheDocument();

    await reload(`${path}/media`);
    await expectTouchTargets(page.getByRole('tab'), 3);
    expectNoSidewaysScroll();

    await reload('/chatarea');
    await page.getByRole('searchbox').fill('bob');
    // The chat and the message.
    await expectTouchTargets(page.getByCss('[data-result]'), 2);
    const filters = page.getByRole('group', { name: t('search.filters') });
    await expectTouchTargets(filters.getByRole('button'));
    await tap(filters.getByRole('button', { name: t('search.since') }));
    const dialog = page.getByRole('dialog');
    await expectTouchTargets(dialog.getByCss('[data-day]'), 28);
    await expectTouchTargets(dialog.getByRole('button'));
    expectNoSidewaysScroll();
  });
}

import type { Locator, Page } from 'playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { message, messages, scrollToStart } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { expectFingerSize, PHONE } from './support/phone.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, TEST_LANGUAGES, type Translator } from './support/texts.ts';

/** Returns the controls of the search in the open chatroom. */
function searchBar(page: Page, t: Translator) {
  const bar = page.getByRole('search', { name: t('roomSearch.title') });
  return {
    bar,
    field: bar.getByRole('textbox'),
    count: bar.getByRole('status').first(),
    older: bar.getByRole('button', { name: t('roomSearch.older'), exact: true }),
    newer: bar.getByRole('button', { name: t('roomSearch.newer'), exact: true }),
    filter: (name: string) => bar.getByRole('button', { name: t(`search.${name}`), exact: true }),
    place: (current: number, total: number | string) => t('roomSearch.place', { current, total }),
  };
}

/** Returns the message that is selected in the results. */
function selected(page: Page): Locator {
  return page.locator('[data-found] [data-message]');
}

/** Sends numbered messages as the page's user. */
async function fillChatroom(page: Page, partner: string, count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) await sendOverHttp(page, partner, `number ${i}.`);
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the search in a chatroom works with touch on a phone, and offline (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      ...PHONE,
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;
    await sendOverHttp(bob.page, 'Alice', 'Ahoy from the harbor');
    await fillChatroom(bob.page, 'Alice', 60);
    await sendFile(bob.page, room, 'image', createPng(300, 200));
    await goToChatroom(page, room);
    const { bar, field, count, older, filter, place } = searchBar(page, t);

    await test.step('buttons open it, step and filter, all large enough', async () => {
      await page.getByRole('button', { name: t('roomSearch.title'), exact: true }).tap();
      await field.fill('number 1');
      await expect(count).toContainText(place(1, 15));
      await older.tap();
      await expect(count).toContainText(place(2, 15));
      await field.fill('');
      await filter('images').tap();
      await expect(count).toContainText(place(1, 1));
      await expect(selected(page).getByRole('img')).toBeInViewport();
      for (const button of await bar.getByRole('button').all()) {
        if (await button.isVisible()) await expectFingerSize(button);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await expectNoViolations(page);
      await filter('images').tap();
    });

    await test.step('a button leads back to where the user was reading', async () => {
      await bar.getByRole('button', { name: t('search.close'), exact: true }).tap();
      await expect(bar).toHaveCount(0);
      await scrollToStart(page);
      await page.getByRole('button', { name: t('roomSearch.title'), exact: true }).tap();
      await field.fill('number 55');
      await expect(selected(page)).toContainText('number 55.');
      await page.getByRole('button', { name: t('reply.back'), exact: true }).tap();
      await expect(message(page, 'Ahoy from the harbor')).toBeInViewport();
    });

    await test.step('offline, it covers what is on the device and says so', async () => {
      await page.context().setOffline(true);
      await field.fill('number 60');
      await expect(bar.getByText(t('search.offline'))).toBeVisible();
      await expect(selected(page)).toContainText('number 60.');
      await page.context().setOffline(false);
      await expect(bar.getByText(t('search.offline'))).toHaveCount(0);
      await expect(count).toContainText(place(1, 1));
      await expect(messages(page).last()).toBeVisible();
    });
  });
}

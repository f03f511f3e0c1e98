import type { Locator, Page } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { message } from './support/chat.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES } from './support/texts.ts';

const field = (page: Page): Locator => page.getByRole('searchbox');
const results = (page: Page): Locator => page.locator('[data-result]');
const found = (page: Page, text: string): Locator => results(page).filter({ hasText: text });

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`on a phone, the results are still there after a message was open (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ ...PHONE, locale: localeOf(language) });
    await signInOverHttp(page, server, 'Alice', language);
    await registerOverHttp(server, 'Bob', language);
    const id = await sendOverHttp(page, 'Bob', 'ship 0');
    for (let i = 1; i <= 45; i += 1) await sendOverHttp(page, 'Bob', `ship ${i}`);
    await goToChatroom(page, `/chatarea/chats/${id}`);
    await page.goto('/chatarea');
    await field(page).tap();
    const filters = page.getByRole('group', { name: t('search.filters') });
    for (const control of [field(page), ...(await filters.getByRole('button').all())]) {
      const { height = 0 } = (await control.boundingBox()) ?? {};
      expect(Math.round(height)).toBeGreaterThanOrEqual(44);
    }
    // The last filter moves into view once it is on.
    await page.getByRole('button', { name: t('search.before') }).tap();
    await page.locator('[data-day][aria-current]').tap();
    const chip = filters.getByRole('button', { pressed: true });
    await expect(chip).toBeInViewport({ ratio: 1 });
    await expect(filters.getByRole('button', { name: t('search.fromMe') })).toBeInViewport();
    await chip.tap();
    await expect(chip).toHaveCount(0);
    await field(page).fill('ship');
    await expect(results(page).first()).toContainText('ship 45');
    await expectNoViolationsInAllLooks(page);

    // More are loaded at the end.
    const countAtEnd = async (): Promise<number> => {
      await results(page).last().scrollIntoViewIfNeeded();
      return results(page).count();
    };
    await expect.poll(countAtEnd).toBe(46);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const last = found(page, 'ship 3').last();
    await last.scrollIntoViewIfNeeded();
    const place = async () => Object.values((await last.boundingBox()) ?? {}).map(Math.round);
    const before = await place();
    await last.tap();
    await expect(message(page, 'ship 3').first()).toBeInViewport();
    await page.goBack();
    await expect(field(page)).toHaveValue('ship');
    await expect(results(page)).toHaveCount(46);
    await expect.poll(place).toEqual(before);
    await page.getByRole('button', { name: t('search.clear') }).tap();
    await expect(page.locator('[data-chat]')).toHaveCount(1);
    await page.getByRole('button', { name: t('search.close') }).tap();
    await expect(filters).toHaveCount(0);
  });

  test(`a failed search can be repeated, and a failed page as well (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    await signInOverHttp(page, server, 'Alice', language);
    await registerOverHttp(server, 'Bob', language);
    for (let i = 1; i <= 25; i += 1) await sendOverHttp(page, 'Bob', `ship ${i}`);
    await page.goto('/chatarea');
    let isBroken = true;
    await page.route('**/api/messages/search', (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { code: 'internal', errorMessage: 'broken' } })
        : route.continue(),
    );
    await field(page).fill('ship');
    await expect(page.getByText(t('search.failed'))).toBeVisible();
    await expectNoViolationsInAllLooks(page);
    isBroken = false;
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(results(page).first()).toContainText('ship 25');
    await expect(results(page)).toHaveCount(20);
    isBroken = true;
    await results(page).last().scrollIntoViewIfNeeded();
    await expect(page.getByText(t('search.moreFailed'))).toBeVisible();
    isBroken = false;
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(results(page)).toHaveCount(25);
  });
}

import type { Locator, Page } from 'playwright/test';
import { chatRow, searchUser } from './support/chat.ts';
import { holdToasts } from './support/hold-toasts.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { signUpOverHttp, registerOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const toast = (page: Page, text: string): Locator =>
  page.locator('.Toastify__toast').filter({ hasText: text });

/** Searches for a user while the server fails. Returns the toast. */
async function triggerErrorToast(page: Page): Promise<Locator> {
  // Navigates inside the application, as a page load would remove all toasts.
  await page.getByRole('link', { name: t('chatList.add') }).click();
  await page.route('**/api/chatrooms/exist', (route) => route.fulfill({ status: 500 }));
  await page.getByLabel(t('findUser.username'), { exact: true }).fill('Bob');
  await page.keyboard.press('Enter');
  const shown = toast(page, t('findUser.failed'));
  await expect(shown).toBeVisible();
  return shown;
}

for (const viewport of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]) {
  test(`a toast covers neither the header nor the back button (${viewport.width} pixels wide)`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await openSharedChatroom(newPage, server, {
      viewport,
      bobOpens: 'chat list',
    });
    const { page } = alice;
    await holdToasts(page);
    await page.route('**/api/messages/delete', (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: t('message.delete') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('app.delete') })
      .click();
    const shown = toast(page, t('message.deleteFailed'));
    await expect(shown).toBeVisible();
    const header = page.locator('header').last();
    await expect(async () => {
      const [above, below] = [await header.boundingBox(), await shown.boundingBox()];
      expect(below?.y ?? 0).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    }).toPass();
    // Nothing covers the back button.
    await page.getByRole('link', { name: t('room.back') }).click({ trial: true });
  });

  test(`a toast does not cover the setting that was changed (${viewport.width} pixels wide)`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ viewport });
    await signUpOverHttp(page, server, 'Alice');
    await page.goto('/settings');
    await holdToasts(page);
    const setting = page.getByRole('checkbox', { name: t('settings.sharesPresence') });
    const updated = toast(page, t('settings.updated'));
    const edgesOf = async (element: Locator) => {
      const { y = 0, height = 0 } = (await element.boundingBox()) ?? {};
      return { top: y, bottom: y + height };
    };
    const changeAt = async (block: 'start' | 'end'): Promise<void> => {
      await setting.evaluate((element, position) => {
        element.scrollIntoView({ block: position });
        // Below the header, or above a toast that is still shown at the bottom.
        element.closest('main')?.scrollBy(0, position === 'start' ? -100 : 120);
      }, block);
      await setting.click();
      await expect(updated).toBeInViewport({ ratio: 1 });
    };

    await changeAt('start');
    expect((await edgesOf(updated)).top).toBeGreaterThan((await edgesOf(setting)).bottom);
    // As if a keyboard covered the lower part of the page.
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--window-height', '400px');
    });
    await expect.poll(async () => (await edgesOf(updated)).bottom).toBeLessThan(400);
    await page.evaluate(() => document.documentElement.style.removeProperty('--window-height'));

    // The same toast moves away from the setting that is changed next.
    await changeAt('end');
    const { top } = await edgesOf(setting);
    await expect.poll(async () => (await edgesOf(updated)).bottom).toBeLessThan(top);
    await expect(updated).toBeInViewport({ ratio: 1 });
  });
}

test('a toast closes with the screen that it belongs to', async ({ server, newPage }) => {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await holdToasts(page);
  const failed = await triggerErrorToast(page);
  await page.getByRole('link', { name: t('findUser.close') }).click();
  await expect(page).not.toHaveURL(/exist/);
  await expect(failed).toHaveCount(0);
});

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`a toast that announces a redirect survives it, but an earlier error does not (${language})`, async ({
    server,
    newPage,
  }) => {
    const bob = await newPage({ locale: localeOf(language) });
    const { email, password } = await registerOverHttp(server, 'Bob', language);
    await bob.goto('/');
    await holdToasts(bob);
    await bob.getByLabel(localized('field.email'), { exact: true }).fill(email);
    await bob.getByLabel(localized('field.password'), { exact: true }).fill(`${password}?`);
    await bob.keyboard.press('Enter');
    const wrong = toast(bob, localized('login.wrong'));
    const success = toast(bob, localized('login.success'));
    await expect(wrong).toBeVisible();
    await bob.getByLabel(localized('field.password'), { exact: true }).fill(password);
    await bob.keyboard.press('Enter');
    await bob.waitForURL('**/chatarea');
    await expect(success).toBeVisible();
    await expect(wrong).toHaveCount(0);
  });
}

test('a toast that survived a navigation closes with the next one', async ({ server, newPage }) => {
  const { alice } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = alice;
  await page.goto('/chatarea');
  await holdToasts(page);
  await searchUser(page, 'Bob');
  const already = toast(page, t('findUser.already', { name: 'Bob' }));
  await expect(already).toBeVisible();
  await page.getByRole('link', { name: t('chatList.add') }).click();
  await expect(already).toHaveCount(0);
  await expect(chatRow(page, 'Bob')).toBeVisible();
});

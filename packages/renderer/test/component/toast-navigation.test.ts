import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');

/** Searches for Bob from the chat list. */
async function searchBob(): Promise<void> {
  await page
    .getByRole('link', { name: t('findUser.open') })
    .first()
    .click();
  await page.getByLabelText(t('findUser.username'), { exact: true }).fill('Bob');
  await userEvent.keyboard('{Enter}');
}

test('a toast closes with the screen that it belongs to', async () => {
  const { server } = await openApp({ user: 'Alice' });
  pauseToasts();
  server.intercept('findUser', () => new Response(null, { status: 500 }));
  await searchBob();
  const failed = toastWith(t('findUser.failed'));
  await expect.element(failed).toBeVisible();
  await page.getByRole('link', { name: t('findUser.close') }).click();
  await expectPath('/chatarea');
  await expect.element(failed).not.toBeInTheDocument();
});

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`a toast that announces a redirect survives it, but an earlier error does not (${language})`, async () => {
    await openApp({ server: createServerWith(['Bob'], language), language });
    pauseToasts();
    const password = page.getByLabelText(localized('field.password'), { exact: true });
    await page.getByLabelText(localized('field.email'), { exact: true }).fill('bob@example.org');
    await password.fill('correct horse?');
    await userEvent.keyboard('{Enter}');
    const wrong = toastWith(localized('login.wrong'));
    await expect.element(wrong).toBeVisible();
    await password.fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expectPath('/chatarea');
    await expect.element(wrong).not.toBeInTheDocument();
    // Toasts that are dismissed together leave together.
    await expect.element(toastWith(localized('login.success'))).toBeVisible();
  });
}

test('a toast that survived a navigation closes with the next one', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Alice' });
  pauseToasts();
  await searchBob();
  const already = toastWith(t('findUser.already', { name: 'Bob' }));
  await expect.element(already).toBeVisible();
  await page
    .getByRole('link', { name: t('findUser.open') })
    .first()
    .click();
  await expect.element(already).not.toBeInTheDocument();
  await expect.element(chatRowOf('Bob')).toBeVisible();
});

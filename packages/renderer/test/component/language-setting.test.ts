import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { openApp } from './support/open-app.ts';

const german = createTranslator('de');

test('the language changes immediately and stays after a reload', async () => {
  const { server, reload } = await openApp({ user: 'Alice', path: '/settings' });
  await page.getByRole('radio', { name: 'Deutsch' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent(german('settings.title'));
  await expect.element(page.getByText(german('app.greeting', { name: 'Alice' }))).toBeVisible();
  await expect.element(page.getByText(german('chatList.empty'))).toBeVisible();
  expect(document.documentElement.lang).toBe('de');
  expect(document.title).toBe(german('app.pageTitle', { page: german('settings.title') }));
  await closeToast(german('settings.updated'));
  await reload();
  await expect.element(heading).toHaveTextContent(german('settings.title'));
  expect(await actAs(server, 'Alice').call('getCurrentUser')).toMatchObject({ language: 'de' });
});

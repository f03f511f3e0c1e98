import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

// The page has not navigated before, so this test has a file of its own.
test('the link to a new password of another account keeps its key, and gets the focus, after the logout', async () => {
  const email = 'alice@example.org';
  const { reload } = await openApp({ server: createServerWith(['Alice', 'Bob']), user: 'Bob' });
  await reload(`/new-pw#email=${email}&key=ABCDEFGH`);
  await page.getByRole('button', { name: t('frame.logout'), exact: true }).click();
  const field = (key: string) => page.getByLabelText(t(key), { exact: true });
  await expect.element(field('newPassword.key')).toHaveValue('ABCDEFGH');
  await expect.element(field('newPassword.key')).toHaveFocus();
  await expect.element(field('field.email')).toHaveValue(email);
});

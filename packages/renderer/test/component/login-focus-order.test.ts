import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

test('Tab moves from the password directly to the login button, before the other controls', async () => {
  await openApp();
  await page.getByLabelText(t('field.email'), { exact: true }).click();
  for (const next of [
    page.getByLabelText(t('field.password'), { exact: true }),
    page.getByRole('button', { name: t('login.submit'), exact: true }),
    page.getByRole('button', { name: t('ui.showPassword') }),
    page.getByRole('link', { name: t('login.forgot') }),
  ]) {
    await userEvent.tab();
    await expect.element(next).toHaveFocus();
  }
});

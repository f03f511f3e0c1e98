import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');
const email = page.getByLabelText(t('field.email'), { exact: true });

test.for(['anna@müller.example', 'anna@straße.example', 'jürgen@例え.jp'])(
  'an address with other letters stays as typed: %s',
  async (address) => {
    await openApp();
    await email.click();
    await userEvent.keyboard(address);
    await expect.element(email).toHaveValue(address);
  },
);

test('an address typed while the window has no focus stays as typed', async () => {
  await openApp();
  await email.click();
  // The field stays active, but has heard of no focus since.
  email.element().dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await expect.element(email).toHaveAttribute('type', 'email');
  await userEvent.keyboard('anna@müller.example');
  await expect.element(email).toHaveValue('anna@müller.example');
});

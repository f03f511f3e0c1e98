import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a first visit shows an introduction instead of welcoming the user back (${language})`, async () => {
    const { reload } = await openApp({ server: createServerWith(['Alice'], language), language });
    await expect.element(page.getByText(t('login.intro'))).toBeVisible();
    const lead = page.getByText(t('login.lead'));
    await expect.element(lead).not.toBeInTheDocument();

    const register = page.getByRole('link', { name: t('login.notRegistered'), exact: true });
    const submit = page.getByRole('button', { name: t('login.submit'), exact: true });
    const { borderRadius, textDecorationLine } = getComputedStyle(register.element());
    expect(borderRadius).toMatch(/[1-9]/);
    expect(textDecorationLine).toBe('none');
    const { height } = register.element().getBoundingClientRect();
    expect(height).toBeGreaterThanOrEqual(40);
    expect(height).toBeLessThanOrEqual(submit.element().getBoundingClientRect().height);

    await page.getByLabelText(t('field.email'), { exact: true }).fill('alice@example.org');
    await page.getByLabelText(t('field.password'), { exact: true }).fill('correct horse');
    await submit.click();
    await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t('frame.logout') }).click();
    await expect.element(lead).toBeVisible();
    await reload();
    await expect.element(lead).toBeVisible();
  });
}

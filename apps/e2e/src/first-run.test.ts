import { registerOverHttp, submitLogin } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a first visit shows an introduction instead of welcoming the user back (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    await page.goto('/');
    await expect(page.getByText(t('login.intro'))).toBeVisible();
    await expect(page.getByText(t('login.lead'))).toHaveCount(0);

    const register = page.getByRole('link', { name: t('login.notRegistered'), exact: true });
    const submit = page.getByRole('button', { name: t('login.submit'), exact: true });
    await expect(register).toHaveCSS('border-radius', /[1-9]/);
    await expect(register).toHaveCSS('text-decoration-line', 'none');
    const height = async () => (await register.boundingBox())?.height ?? 0;
    expect(await height()).toBeGreaterThanOrEqual(40);
    expect(await height()).toBeLessThanOrEqual((await submit.boundingBox())?.height ?? 0);

    const { email, password } = await registerOverHttp(server, 'Alice', language);
    await submitLogin(page, email, password, language);
    await page.waitForURL('**/chatarea');
    await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t('shell.logout') }).click();
    await expect(page.getByText(t('login.lead'))).toBeVisible();
    await page.reload();
    await expect(page.getByText(t('login.lead'))).toBeVisible();
  });
}

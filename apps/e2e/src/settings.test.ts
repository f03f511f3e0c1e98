import { signUpOverHttp, submitLogin } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

test('settings that change on another device apply immediately, or after a reconnect', async ({
  server,
  newPage,
}) => {
  const phone = await newPage();
  const laptop = await newPage();
  const { email, password } = await signUpOverHttp(phone, server, 'Alice');
  await laptop.goto('/');
  await submitLogin(laptop, email, password);
  await laptop.waitForURL('**/chatarea');
  await laptop.goto('/settings');
  await phone.goto('/settings');
  const silent = { en: 'Silent', de: createTranslator('de')('settings.volumeSilent') };
  await expect(laptop.getByRole('radio', { name: 'Middle' })).toBeChecked();
  await phone.getByRole('radio', { name: silent.en }).click();
  await expect(laptop.getByRole('radio', { name: silent.en })).toBeChecked();
  await dismissToast(phone, createTranslator('en')('settings.updated'));
  await phone.getByRole('radio', { name: 'Deutsch' }).click();
  await dismissToast(phone, createTranslator('de')('settings.updated'));
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('de')('settings.title'),
  );
  await expect(laptop.getByRole('radio', { name: silent.de })).toBeChecked();

  await laptop.context().setOffline(true);
  await expect(laptop.getByText(createTranslator('de')('connection.offline'))).toBeVisible();
  await phone.getByRole('radio', { name: createTranslator('de')('settings.volumeLoud') }).click();
  await dismissToast(phone, createTranslator('de')('settings.updated'));
  await phone.getByRole('radio', { name: 'English' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('en')('settings.title'),
  );
  await laptop.context().setOffline(false);
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('en')('settings.title'),
  );
  await expect(laptop.getByRole('radio', { name: 'Loud' })).toBeChecked();
});

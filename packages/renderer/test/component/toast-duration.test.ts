import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { clickWhen } from './support/click-when.ts';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';

const t = createTranslator('en');

/** Finds the progress bar, whose animation closes the toast. */
const progressBar = (toast: Locator): Locator => toast.getByCss('.Toastify__progress-bar');

/** Moves the time of a toast, which stands still from then on. Milliseconds. */
function setAge(toast: Locator, age: number): void {
  for (const animation of progressBar(toast).element().getAnimations()) {
    animation.playbackRate = 0;
    animation.currentTime = age;
  }
}

test('an error toast stays for 8 seconds, and longer while it is hovered or focused', async () => {
  const { server } = await openApp({ user: 'Alice', path: '/chatarea/exist' });
  server.intercept('findUser', () => new Response(null, { status: 500 }));
  const release = pauseToasts();
  const username = page.getByLabelText(t('findUser.username'));
  await username.fill('Bob');
  await userEvent.keyboard('{Enter}');
  const failed = toastWith(t('findUser.failed'));
  const bar = progressBar(failed);
  await expect.element(bar).toHaveStyle('animation-duration: 8s');
  await failed.hover();
  release();
  await expect.element(bar).toHaveStyle('animation-play-state: paused');
  setAge(failed, 7_999);
  failed.getByRole('button').element().focus();
  await username.hover();
  await expect.element(bar).toHaveStyle('animation-play-state: paused');
  username.element().focus();
  await expect.element(bar).toHaveStyle('animation-play-state: running');
  await expect.element(failed).toBeVisible();
  setAge(failed, 8_000);
  await expect.element(failed).not.toBeInTheDocument();
});

test('a success toast stays for 4 seconds', async () => {
  await openApp({ user: 'Alice', path: '/settings' });
  pauseToasts();
  await page.getByRole('radio', { name: t('settings.volumeLoud') }).click();
  const updated = toastWith(t('settings.updated'));
  await expect.element(progressBar(updated)).toHaveStyle('animation-duration: 4s');
});

test('a toast with a button stays for 8 seconds', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Alice' });
  pauseToasts();
  await chatRowOf('Bob').click({ button: 'right' });
  await page.getByRole('menuitem', { name: t('chatMenu.archive') }).click();
  const undo = page.getByRole('button', { name: t('chatMenu.undo') });
  await expect.element(undo).toBeVisible();
  const bar = page.getByCss('.Toastify__progress-bar');
  await expect.element(bar).toHaveStyle('animation-duration: 8s');
  await undo.click();
  await expect.element(chatRowOf('Bob')).toBeVisible();
});

test('a toast appears while an earlier one with the same text is still leaving', async () => {
  await openApp({ user: 'Alice', path: '/settings' });
  pauseToasts();
  const updated = toastWith(t('settings.updated'));
  await page.getByRole('radio', { name: t('settings.volumeLoud') }).click();
  await expect.element(updated).toBeVisible();
  const leaving = updated.element();
  const silent = page.getByRole('radio', { name: t('settings.volumeSilent') });
  clickWhen('.toast-leaves', silent.element() as HTMLElement);
  (updated.getByRole('button').element() as HTMLElement).click();
  await expect.element(silent).toBeChecked();
  await expect.poll(() => leaving.isConnected).toBe(false);
  await expect.element(updated).toBeVisible();
});

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { toastError, type ToastOptions } from '../../src/ui/show-toast.ts';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pauseToasts } from './support/pause-toasts.ts';
import { refuse } from './support/refuse.ts';

const t = createTranslator('en');

const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();

/** Returns whether two elements cover each other. */
function overlap(first: Locator, second: Locator): boolean {
  const [a, b] = [boxOf(first), boxOf(second)];
  return a.top < b.bottom && b.top < a.bottom && a.left < b.right && b.left < a.right;
}

for (const viewport of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]) {
  test(`a toast covers neither the header nor the back button (${viewport.width} pixels wide)`, async () => {
    const { server } = await openChatOf('Alice', { viewport });
    pauseToasts();
    server.intercept('deleteMessage', refuse);
    await page.getByRole('button', { name: t('message.delete'), exact: true }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByRole('button', { name: t('app.delete') }).click();
    const toast = toastWith(t('message.deleteFailed_one'));
    await expect.element(toast).toBeVisible();
    const header = page.getByCss('header').last();
    await expect.poll(() => boxOf(toast).top).toBeGreaterThanOrEqual(boxOf(header).bottom);
    // Nothing covers the back button.
    await page.getByRole('link', { name: t('room.back') }).click({ trial: true });
  });

  test(`a toast does not cover the setting that was changed (${viewport.width} pixels wide)`, async () => {
    await openApp({ user: 'Alice', path: '/settings', viewport });
    pauseToasts();
    // The notifications are above and are shown later.
    const notifications = page.getByRole('region', { name: t('notifications.title') });
    await expect.element(notifications.getByRole('listitem').first()).toBeInTheDocument();
    const setting = page.getByRole('checkbox', { name: t('settings.sharesPresence') });
    const updated = toastWith(t('settings.updated'));
    const changeAt = async (block: 'start' | 'end'): Promise<void> => {
      await expect.element(setting).toBeInTheDocument();
      const element = setting.element() as HTMLElement;
      element.scrollIntoView({ block });
      // Below the header, or above a toast that is still shown at the bottom.
      element.closest('main')?.scrollBy(0, block === 'start' ? -100 : 120);
      // At once, as a click of the mouse scrolls again if the page still grows above the setting.
      element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      element.click();
      await expect.element(updated).toBeInViewport({ ratio: 1 });
    };

    await changeAt('start');
    expect(boxOf(updated).top).toBeGreaterThan(boxOf(setting).bottom);
    // As if a keyboard covered the lower part of the page.
    const { style } = document.documentElement;
    style.setProperty('--window-height', '400px');
    await expect.poll(() => boxOf(updated).bottom).toBeLessThan(400);
    style.removeProperty('--window-height');

    // The same toast moves away from the setting that is changed next.
    await changeAt('end');
    await expect.poll(() => boxOf(updated).bottom).toBeLessThan(boxOf(setting).top);
    await expect.element(updated).toBeInViewport({ ratio: 1 });
  });
}

const add = page.getByRole('link', { name: t('findUser.open') }).first();

/** Shows a toast and waits until it has moved to its place. */
async function showToast(text: string, options?: ToastOptions): Promise<Locator> {
  toastError(text, options);
  const toast = toastWith(text);
  await expect.element(toast).toBeInViewport({ ratio: 1 });
  await Promise.all(
    toast
      .element()
      .getAnimations()
      .map(({ finished }) => finished),
  );
  return toast;
}

const LONG_TEXT = createTranslator('de')('frame.logoutFailed');

for (const viewport of [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 768, height: 1_024 },
]) {
  test(`a toast covers neither the only row of the chat list nor its button (${viewport.width} pixels wide)`, async () => {
    const server = createServerWith(['Alice', 'Bob']);
    await createChatBetween(server, ['Alice', 'Bob']);
    await openApp({ server, user: 'Alice', viewport });
    const row = chatRowOf('Bob');
    await expect.element(row).toBeVisible();
    pauseToasts();
    for (const text of ['Short.', `${LONG_TEXT} ${LONG_TEXT}`, LONG_TEXT.repeat(5)]) {
      const toast = await showToast(text);
      expect(overlap(toast, row)).toBe(false);
      expect(overlap(toast, add)).toBe(false);
      await closeToast(text);
    }
    // A toast about an input bar, though the user has left the chatroom.
    const toast = await showToast(t('room.partnerDeleted'), { position: 'bottom-center' });
    expect(overlap(toast, row)).toBe(false);
    expect(overlap(toast, add)).toBe(false);
  });

  test(`a toast covers neither the newest message nor the input bar (${viewport.width} pixels wide)`, async () => {
    await openChatOf('Alice', { viewport });
    pauseToasts();
    const header = page.getByCss('header').last();
    const inputBar = messageBox();
    const toast = await showToast(LONG_TEXT);
    expect(overlap(toast, messageWith('Hello Bob!'))).toBe(false);
    expect(overlap(toast, inputBar)).toBe(false);
    expect(overlap(toast, header)).toBe(false);
    // As if a keyboard and a long text left hardly any room.
    const { style } = document.documentElement;
    style.setProperty('--window-height', '240px');
    await inputBar.fill('Line\n'.repeat(12));
    await expect.poll(() => overlap(toast, inputBar)).toBe(false);
    await expect.element(toast).toBeInViewport({ ratio: 1 });
    style.removeProperty('--window-height');
  });
}

for (const position of ['top-right', 'bottom-center'] as const) {
  test(`several tall toasts cover neither the only row nor the input bar and can be read (${position})`, async () => {
    const viewport = { width: 320, height: 568 };
    const options = position === 'top-right' ? {} : { position };
    const stack = page.getByCss(`.Toastify__toast-container--${position}`);
    const texts = [1, 2, 3].map((count) => LONG_TEXT.repeat(4 + count));
    const showAll = async (): Promise<void> => {
      pauseToasts();
      for (const text of texts) {
        toastError(text, options);
        await expect.element(toastWith(text).first()).toBeInTheDocument();
      }
    };
    const server = createServerWith(['Alice', 'Bob']);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    const { reload } = await openApp({ server, user: 'Alice', viewport });
    await expect.element(chatRowOf('Bob')).toBeVisible();
    await showAll();
    await expect.poll(() => overlap(stack, chatRowOf('Bob'))).toBe(false);
    expect(overlap(stack, add)).toBe(false);
    expect(boxOf(stack).top).toBeGreaterThanOrEqual(0);

    await reload(`/chatarea/chats/${room}`);
    await expect.element(messageWith('Hello Bob!')).toBeInTheDocument();
    await showAll();
    await expect.poll(() => overlap(stack, messageBox())).toBe(false);
    expect(boxOf(stack).top).toBeGreaterThanOrEqual(0);
    // The newest one is at the top.
    const oldest = stack.getByCss('.Toastify__toast').last();
    oldest.getByCss('.toast-close').element().scrollIntoView();
    await oldest.getByCss('.toast-close').click();
    await expect.element(stack.getByCss('.Toastify__toast').nth(2)).not.toBeInTheDocument();
  });
}

test('a toast at the bottom does not cover the button beside a screen', async () => {
  await openApp({ user: 'Alice', path: '/profile', viewport: { width: 1024, height: 700 } });
  await expect.element(add).toBeVisible();
  pauseToasts();
  const toast = await showToast(t('room.partnerDeleted'), { position: 'bottom-center' });
  expect(overlap(toast, add)).toBe(false);
});

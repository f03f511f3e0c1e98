import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pauseToasts } from './support/pause-toasts.ts';
import { refuse } from './support/refuse.ts';

const t = createTranslator('en');

const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();

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
    const toast = toastWith(t('message.deleteFailed'));
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

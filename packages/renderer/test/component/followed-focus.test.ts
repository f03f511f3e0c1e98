import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const heading = page.getByRole('heading', { level: 1 });
const confirmation = page.getByRole('alertdialog');

async function expectFocusToReturn(opener: Locator): Promise<void> {
  await expect.element(opener).toBeInTheDocument();
  focusOn(opener);
  await userEvent.keyboard('{Enter}');
  await expect.element(confirmation).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
}

for (const width of [360, 1280]) {
  test(`the focus follows the navigation and returns after dialogs (${width} pixels wide)`, async () => {
    const viewport = { width, height: 800 };
    const { reload } = await openChatOf('Alice', { viewport, reducedMotion: true });
    await expectFocusToReturn(page.getByRole('button', { name: t('message.delete') }));
    await reload('/chatarea');
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    const field = page.getByLabelText(t('findUser.username'), { exact: true });
    await expect.element(field).toHaveFocus();
    await page.getByRole('link', { name: t('findUser.close') }).click();
    await expect.element(heading).toHaveFocus();
    for (const name of ['profile', 'settings', 'about']) {
      await reload('/chatarea');
      await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
      await page.getByRole('menuitem', { name: t(`frame.${name}`) }).click();
      await expect.element(heading).toHaveTextContent(t(`${name}.title`));
      await expect.element(heading).toHaveFocus();
    }
    await reload('/settings');
    await expectFocusToReturn(page.getByRole('button', { name: t('settings.delete') }));
    await reload('/chatarea');
    await chatRowOf('Bob').click();
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
    await expect.poll(() => document.activeElement !== document.body).toBe(true);
  });
}

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { menuItem, messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { holdFinger } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a chat is deleted in the menu that a long press on its row opens (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob', 'Carl'], language);
    for (const name of ['Bob', 'Carl']) await createChatBetween(server, [name, 'Alice']);
    await openApp({ server, user: 'Alice', language, viewport: { width: 360, height: 740 } });
    await expect.element(chatRowOf('Carl')).toBeVisible();
    const lift = await holdFinger(chatRowOf('Carl'));
    await expect.element(messageMenu).toBeVisible();
    await lift();
    await tap(menuItem(t('chatMenu.delete')));
    const dialog = page.getByRole('alertdialog');
    await expect.element(dialog).toHaveAccessibleName(t('deleteChat.title', { name: 'Carl' }));
    await tap(dialog.getByRole('button', { name: t('chatMenu.delete') }));
    await expect.element(chatRowOf('Carl')).not.toBeInTheDocument();
    await expect.element(chatRowOf('Bob')).toHaveFocus();
    expect(location.pathname).toBe('/chatarea');
  });
}

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { menuItem, messageRow, openMessageMenu, quickReaction } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';

const CATEGORIES = [
  'custom',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
];

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const panel = page.getByRole('dialog', { name: t('composer.emoji') });
  const toggle = page.getByRole('button', { name: t('composer.emoji') });
  const rocket = language === 'en' ? 'rocket' : 'Rakete';

  /** Finds the quick button of an emoji, in the row above the picker. */
  const quickButton = (emoji: string) =>
    panel
      .getByRole('button')
      .filter({ hasText: new RegExp(`^${emoji}$`, 'u') })
      .first();

  test(`the emoji picker shows its categories and inserts emoji at the cursor (${language})`, async () => {
    const { reload } = await openChatOf('Alice', { language });
    await messageBox().fill('Hello world');
    await userEvent.keyboard(`{Home}${'{ArrowRight}'.repeat(5)}`);
    await toggle.click();
    const picker = panel.getByCss('.EmojiPickerReact');
    await expect.element(picker).toBeVisible();
    const { width, bottom } = picker.element().getBoundingClientRect();
    expect(width).toBe(500);
    expect(bottom).toBeLessThanOrEqual(messageBox().element().getBoundingClientRect().top);

    const tabs = panel.getByRole('tablist');
    for (const key of CATEGORIES) {
      await expect.element(tabs.getByRole('tab', { name: t(`emoji.${key}`) })).toBeInTheDocument();
    }
    for (const emoji of ['👍', '❤️', '😃', '😢', '🙏', '👎', '😡']) {
      await expect.element(quickButton(emoji)).toBeVisible();
    }
    const tone = panel.getByRole('button', { name: /skin tone|Hautton/i }).first();
    await expect.element(tone).toBeInTheDocument();

    await panel.getByPlaceholder(t('emoji.search')).fill(rocket);
    await panel.getByRole('gridcell', { name: rocket, exact: true }).click();
    await expect.element(messageBox()).toHaveValue('Hello🚀 world');
    await quickButton('👍').click();
    await expect.element(messageBox()).toHaveValue('Hello🚀👍 world');
    await panel
      .getByRole('img', { name: t('emoji.circassia') })
      .first()
      .click();
    await expect.element(messageBox()).toHaveValue('Hello🚀👍:circassia: world');

    // The recently used ones are shown after a reload.
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.poll(readPageStorage).toMatch(/1f680/);
    await reload();
    await toggle.click();
    await expect.element(panel.getByPlaceholder(t('emoji.search'))).toHaveFocus();
    const recent = panel.getByRole('rowgroup', { name: t('emoji.suggested') });
    await expect.element(recent.getByRole('gridcell', { name: rocket, exact: true })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(messageBox()).toHaveFocus();
  });

  test(`the chosen skin tone stays on the device, also for reactions (${language})`, async () => {
    const { reload } = await openChatOf('Alice', { language });
    const dark = { name: t('emoji.toneDark'), exact: true };
    await toggle.click();
    // The first click shows the tones.
    await panel.getByRole('button', { name: t('emoji.toneNeutral'), exact: true }).click();
    await panel.getByRole('button', dark).click();
    await quickButton('👍🏿').click();
    await quickButton('❤️').click();
    await expect.element(messageBox()).toHaveValue('👍🏿❤️');
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    await toggle.click();
    await expect.element(panel.getByRole('button', dark)).toBeInTheDocument();

    await reload();
    await openMessageMenu(messageWith('Hello Bob!'));
    await quickReaction(t('reaction.react', { emoji: '👍🏿' })).click();
    const reactions = messageRow(messageWith('Hello Bob!')).getByRole('list');
    await expect.element(reactions).toMatchTextContent('👍🏿');
    await openMessageMenu(messageWith('Hello Bob!'));
    await menuItem(t('reaction.more')).click();
    const picker = page.getByRole('dialog', { name: t('reaction.picker') });
    await picker.getByRole('button', dark).click();
    await picker.getByRole('button', { name: t('emoji.toneNeutral'), exact: true }).click();
    await picker.getByPlaceholder(t('emoji.search')).fill(rocket);
    await picker.getByRole('gridcell', { name: rocket, exact: true }).click();

    // A reaction in another tone can still be taken back.
    await openMessageMenu(messageWith('Hello Bob!'));
    await quickReaction(t('reaction.react', { emoji: '👍🏿' })).click();
    await expect.element(reactions).not.toMatchTextContent('👍');
    await openMessageMenu(messageWith('Hello Bob!'));
    await expect
      .element(quickReaction(t('reaction.react', { emoji: '👍' })))
      .toHaveAttribute('aria-checked', 'false');
  });

  test(`the custom flag is shown as an image in messages and previews (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob'], 'Hello🚀👍:circassia: world');
    await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}`, language });
    for (const shown of [messageWith('Hello🚀👍'), chatRowOf('Alice')]) {
      await expect.element(shown.getByRole('img', { name: t('emoji.circassia') })).toBeVisible();
      await expect.element(shown).not.toMatchTextContent(':circassia:');
    }
  });
}

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contentsSeenBy, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pressInComposition } from './support/press-in-composition.ts';

const NARROW = { width: 360, height: 740 };

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const rocket = language === 'en' ? 'rocket' : 'Rakete';
  const list = page.getByRole('listbox', { name: t('emoji.completion') });
  const option = (name: string) => list.getByRole('option', { name, exact: true });

  test(`the beginning of an emoji's name after a colon shows suggestions to choose from (${language})`, async () => {
    const { server, room } = await openChatOf('Alice', { language });
    await messageBox().click();
    await userEvent.keyboard(`Off :${rocket.slice(0, 5)}`);
    await expect.element(option(rocket)).toBeVisible();
    const { bottom } = list.element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(messageBox().element().getBoundingClientRect().top);
    await expect.element(messageBox()).toHaveAttribute('aria-controls', list.element().id);
    await expectNoAxeViolations('the suggested emoji');

    await userEvent.keyboard('{ArrowDown}');
    await expect.element(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowUp}{ArrowDown}{Enter}');
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveValue('Off 🚀');
    await expect.element(messageBox()).not.toHaveAttribute('aria-controls');
    // The browser's undo brings back what was typed.
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(messageBox()).toHaveValue(`Off :${rocket.slice(0, 5)}`);

    await userEvent.keyboard('{End} :circ');
    await option(t('emoji.circassia')).click();
    await expect.element(messageBox()).toHaveValue(`Off :${rocket.slice(0, 5)} :circassia:`);
    await expect.element(messageBox()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => contentsSeenBy(server, 'Bob', room))
      .toEqual(['Hello Bob!', `Off :${rocket.slice(0, 5)} :circassia:`]);
  });
}

const t = createTranslator('en');
const list = page.getByRole('listbox', { name: t('emoji.completion') });
const contents = async ({
  server,
  room,
}: {
  server: Parameters<typeof contentsSeenBy>[0];
  room: string;
}) => (await contentsSeenBy(server, 'Bob', room)).slice(1);

test('smileys, Enter and Tab are never taken for a suggestion that was not selected', async () => {
  const chat = await openChatOf('Alice');
  await messageBox().click();
  await userEvent.keyboard('Hi :p{Enter}');
  await expect.poll(() => contents(chat)).toEqual(['Hi :p']);
  await userEvent.keyboard(':roc');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => contents(chat)).toEqual(['Hi :p', ':roc']);
  await expect.element(list).not.toBeInTheDocument();

  await userEvent.keyboard(':roc');
  await expect.element(list).toBeVisible();
  // Another letter finds other emoji, of which none is selected.
  await userEvent.keyboard('{ArrowDown}k{Enter}');
  await expect.poll(() => contents(chat)).toEqual(['Hi :p', ':roc', ':rock']);

  await userEvent.keyboard(':roc');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(messageBox()).not.toHaveFocus();
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveValue(':roc');
});

test('Escape closes only the suggestions, and keys of input methods choose none', async () => {
  const chat = await openChatOf('Alice', {}, (server, room) =>
    sendTextAs(server, 'Alice', room, 'To the moon').then(() => undefined),
  );
  await openMessageMenu(messageWith('To the moon'));
  await menuItem(t('message.edit')).click();
  await expect.element(messageBox()).toHaveFocus();
  await userEvent.keyboard(' :roc');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  for (const key of ['Enter', 'Tab', 'Escape', 'ArrowDown']) pressInComposition(key);
  await nextFrames();
  const first = list.getByRole('option').first();
  await expect.element(first).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  // It stays closed for this name.
  await userEvent.keyboard('k');
  await nextFrames();
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(messageBox()).toHaveValue('To the moon :rock');
  await userEvent.keyboard(' :rocke');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Tab}');
  await expect.element(messageBox()).toHaveValue('To the moon :rock 🚀');
  await expect.element(messageBox()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => contents(chat)).toEqual(['To the moon :rock 🚀']);
});

test('suggestions close once the cursor is elsewhere, and fit into a narrow window', async () => {
  await openChatOf('Alice', { viewport: NARROW });
  await messageBox().click();
  await userEvent.keyboard(':heart');
  await expect.element(list).toBeVisible();
  const { left, right, top } = list.element().getBoundingClientRect();
  expect([left >= 0, right <= NARROW.width, top >= 0]).toEqual([true, true, true]);
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(list).not.toBeInTheDocument();
  await userEvent.keyboard('{End} :rocke');
  await list.getByRole('option').first().click();
  await expect.element(messageBox()).toHaveValue(':heart 🚀');
});

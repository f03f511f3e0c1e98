import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectMenuEntries } from './support/expect-menu-entries.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, messageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { holdFinger, tapAt } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

/** Presses an element until its menu opens. Returns a function that lifts the finger. */
async function pressLong(element: Locator): Promise<() => Promise<void>> {
  const lift = await holdFinger(element);
  await expect.element(messageMenu).toBeVisible();
  return lift;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a long press lifts a message and opens its menu (${language})`, async () => {
    await openChatOf('Alice', { ...PHONE, language }, async (server, room) => {
      await sendMediaAs(server, 'Alice', room, await createImageFile(400, 300));
    });
    const bubble = messageWith('Hello Bob!');
    const picture = page.getByCss('[data-message]').last();
    await expect.element(picture.getByCss('img[data-state="ready"]')).toBeVisible();
    const transform = () => getComputedStyle(bubble.element()).transform;

    // The menu stays open after the finger is lifted, and a tap outside closes it.
    const liftFromText = await pressLong(bubble);
    expectMenuEntries(t, [
      'reply',
      'copyText',
      'copyLink',
      'forward',
      'select',
      'edit',
      'delete',
      'details',
    ]);
    expect(transform()).not.toBe('none');
    await liftFromText();
    await expect.element(messageMenu).toBeVisible();
    await tapAt([180, 100]);
    await expect.element(messageMenu).not.toBeInTheDocument();
    await expect.poll(transform).toBe('none');

    // An image is not opened, neither by the press nor by the tap outside.
    const liftFromImage = await pressLong(picture);
    expectMenuEntries(t, [
      'reply',
      'saveImage',
      'copyLink',
      'forward',
      'select',
      'delete',
      'details',
    ]);
    await liftFromImage();
    const { left, top } = picture.element().getBoundingClientRect();
    const menuTop = messageMenu.element().getBoundingClientRect().top;
    expect(Math.abs(menuTop - top)).toBeGreaterThan(10);
    await tapAt([left + 10, top + 10]);
    await expect.element(messageMenu).not.toBeInTheDocument();
    const viewer = page.getByRole('dialog');
    await expect.element(viewer).not.toBeInTheDocument();
    await tap(picture);
    await expect.element(viewer).toBeVisible();
    history.back();
    await expect.element(viewer).not.toBeInTheDocument();

    // The details open with a tap.
    const lift = await pressLong(bubble);
    await lift();
    await tap(menuItem(t('message.details')));
    const details = page.getByRole('dialog', { name: t('message.detailsTitle') });
    await expect.element(details).toBeVisible();
  });
}

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, messageMenu, messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { tap } from './support/tap.ts';
import { waitForLayers } from './support/wait-for-layers.ts';

const t = createTranslator('en');

const menuButtons = page.getByRole('article').getByRole('button', { name: t('message.menu') });

/** Returns whether two boxes overlap by more than rounding. */
function overlap(a: DOMRect, b: DOMRect): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0.5 && height > 0.5;
}

/** Expects that the target of each menu button is large, and covers no other button or message. */
function expectFreeTargets(): void {
  const bubbles = page.getByCss('[data-message]').elements();
  const buttons = page.getByCss('article button').elements();
  for (const button of menuButtons.elements()) {
    const box = button.getBoundingClientRect();
    expect([Math.round(box.width), Math.round(box.height)]).toEqual([44, 44]);
    expect(box.right).toBeLessThanOrEqual(innerWidth);
    const own = button.closest('[data-message]');
    const covered = [...bubbles, ...buttons].filter(
      (element) =>
        element !== own &&
        element !== button &&
        // The image itself opens in the rest of its area.
        element.getAttribute('aria-label')?.startsWith(t('message.openImage')) !== true &&
        overlap(box, element.getBoundingClientRect()),
    );
    expect(covered.map(({ outerHTML }) => outerHTML)).toEqual([]);
  }
}

test('with touch, a visible button beside the time opens the menu of every message', async () => {
  const viewport = { width: 320, height: 700 };
  await openChatOf('Alice', { viewport }, async (server, room) => {
    for (const user of ['Bob', 'Alice']) {
      await sendMediaAs(server, user, room, await createImageFile(300, 200));
      await sendMediaAs(server, user, room, createRecordingFile(3));
      await sendMediaAs(server, user, room, await createImageFile(30, 30));
      for (const text of [
        'Oh',
        `I am ${user}`,
        'A text that needs more than one line, even twice.',
      ]) {
        await sendTextAs(server, user, room, text);
      }
    }
  });
  await expect.element(messageWith('Oh').last()).toBeVisible();
  for (const width of [320, 360, 480]) {
    await page.viewport(width, 700);
    const messages = page.getByRole('article').elements();
    expect(messages.length).toBeGreaterThan(9);
    expect(menuButtons.elements()).toHaveLength(messages.length);
    await expect.poll(expectFreeTargets).toBeUndefined();
  }
  const open = async (bubble: ReturnType<typeof messageWith>) => {
    await tap(messageRow(bubble).getByRole('button', { name: t('message.menu') }), 'center');
    await expect.element(messageMenu).toBeVisible();
    await expect.element(menuItem(t('message.reply'))).toBeVisible();
    await waitForLayers(1);
    history.back();
    await expect.element(messageMenu).not.toBeInTheDocument();
  };
  await open(messageWith('I am Bob'));
  await open(messageWith('I am Alice'));
});

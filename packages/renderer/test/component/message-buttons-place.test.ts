import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

/** Returns whether two boxes have no point in common. */
const areApart = (a: DOMRect, b: DOMRect): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Expects that the buttons of each own message are visible while it is hovered and cover no message. */
async function expectFreeButtons(): Promise<void> {
  const bubbles = page.getByCss('[data-message]').elements();
  for (const own of page.getByCss('[data-own]').all()) {
    const button = own.getByRole('button', { name: t('message.delete') });
    const buttons = () => button.element().parentElement ?? button.element();
    await own.getByCss('[data-message]').hover();
    await expect.poll(() => getComputedStyle(buttons()).opacity).toBe('1');
    // The list may still be moving.
    const isFree = () => {
      const box = buttons().getBoundingClientRect();
      return (
        box.left >= 0 && bubbles.every((bubble) => areApart(box, bubble.getBoundingClientRect()))
      );
    };
    await expect.poll(isFree).toBe(true);
  }
}

test('with a mouse, the buttons of a message cover no other message in windows of 320 to 900 pixels', async () => {
  await openChatOf('Alice', { viewport: { width: 320, height: 700 } }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
    await sendTextAs(server, 'Bob', room, 'What a long voice message, dear! '.repeat(4));
    for (const text of ['Oh', 'That is how it is, and how it was. '.repeat(9), 'Yes', 'No']) {
      await sendTextAs(server, 'Alice', room, text);
    }
  });
  await expect.element(messageWith('No')).toBeVisible();
  const player = page.getByRole('group', { name: t('audio.own') });
  for (const width of [320, 360, 600, 900]) {
    await page.viewport(width, 700);
    const waveform = player.getByCss('[class*=wave] > :last-child').element();
    const speed = player.getByRole('button').last().element();
    expect(waveform.getBoundingClientRect().right).toBeLessThanOrEqual(
      speed.getBoundingClientRect().left,
    );
    await expectFreeButtons();
  }
});

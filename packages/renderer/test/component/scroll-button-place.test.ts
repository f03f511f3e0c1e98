import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');
const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
const toBottom = page.getByRole('button', { name: t('room.toBottom') });

/** Returns the times of messages that the button covers at some position of the list, by their messages. */
function coveredTimes(): string[] {
  const button = toBottom.element().getBoundingClientRect();
  return [...list.element().querySelectorAll('article time')]
    .filter((time) => {
      const { left, right } = time.getBoundingClientRect();
      return left < button.right && button.left < right;
    })
    .map((time) => time.closest('[data-key]')?.textContent ?? '');
}

test('the button that scrolls to the bottom covers no time of a message, at any position and width', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (const user of ['Bob', 'Alice']) {
    for (const text of [
      'ok',
      'A long text that has several lines. '.repeat(4),
      'Two words',
      '🎉',
    ]) {
      await sendTextAs(server, user, room, text);
    }
    await sendMediaAs(server, user, room, await createImageFile(600, 200));
    await sendMediaAs(server, user, room, await createImageFile(60, 60));
    await sendMediaAs(server, user, room, createRecordingFile(3));
  }
  for (let i = 1; i <= 12; i += 1) await sendTextAs(server, 'Alice', room, `Line ${i}.`);
  // The button with the number of unread messages would be there instead.
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  const viewport = { width: 320, height: 600 };
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, viewport });
  await expect.element(messageWith('Line 12.')).toBeInViewport();
  for (const width of [320, 390, 768, 1_024, 1_280]) {
    await page.viewport(width, 600);
    const element = list.element();
    element.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    element.scrollTop = 0;
    await expect.element(toBottom).toBeVisible();
    const seen = new Set<string>();
    for (let top = 0; top < element.scrollHeight - 2 * element.clientHeight; top += 400) {
      element.scrollTop = top;
      await nextFrames(2);
      for (const { dataset } of element.querySelectorAll<HTMLElement>('[data-key]')) {
        seen.add(dataset['key'] ?? '');
      }
      expect(coveredTimes()).toEqual([]);
    }
    expect(seen.size).toBeGreaterThan(15);
  }
});

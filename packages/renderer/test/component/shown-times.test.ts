import { TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { chatRowOf, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { nextFrames } from './support/next-frames.ts';
import { openChatOf } from './support/open-chat-of.ts';

const DAY = 24 * 60 * 60_000;

const EXPECTED = {
  en: {
    today: /^\d{1,2}:\d{2}\s[AP]M$/,
    yesterday: /^Yesterday \d{1,2}:\d{2}\s[AP]M$/,
    before: /^\d{1,2} \S+ \d{4}, \d{1,2}:\d{2}\s[AP]M$/,
  },
  de: {
    today: /^\d{2}:\d{2}$/,
    yesterday: /^Gestern \d{2}:\d{2}$/,
    before: /^\d{1,2}\. \S+ \d{4}, \d{2}:\d{2}$/,
  },
} as const;

for (const language of TEST_LANGUAGES) {
  test(`messages show their time, and their day if it is not today (${language})`, async () => {
    const viewport = { width: 320, height: 700 };
    const { reload } = await openChatOf('Alice', { language, viewport }, async (server, room) => {
      await sendMediaAs(server, 'Alice', room, await createImageFile(30, 30));
      await sendMediaAs(server, 'Alice', room, createRecordingFile(1));
    });
    const now = Date.now();
    const times = page.getByCss('[data-message] time');
    for (const [daysLater, when] of [
      [0, 'today'],
      [1, 'yesterday'],
      [2, 'before'],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + daysLater * DAY });
      await reload();
      const first = messageWith('Hello Bob!').getByCss('time');
      await expect.element(first).toMatchTextContent(EXPECTED[language][when]);
      await expect.poll(() => times.elements()).toHaveLength(3);
      for (const time of times.elements()) {
        expect(time.textContent).toMatch(EXPECTED[language][when]);
        // The time must be inside its bubble.
        const bubble = time.closest('[data-message]')?.getBoundingClientRect();
        const { left, right } = time.getBoundingClientRect();
        expect(left).toBeGreaterThanOrEqual(bubble?.left ?? Infinity);
        expect(right).toBeLessThanOrEqual(bubble?.right ?? 0);
      }
    }
  });
}

/** Returns the times that the page shows: of the chat in the list, of the message, and its day. */
const shownTimes = () => ({
  listed: chatRowOf('Bob').getByCss('time').element().textContent,
  sent: messageWith('Hello Bob!').getByCss('time').element().textContent,
  day: page.getByCss('[data-key] > p > time').element().textContent,
});

test('times and days are right after sleep over midnight and once the clock is put back', async () => {
  const now = new Date().setHours(22, 0, 0, 0);
  vi.useFakeTimers({ toFake: ['Date'], now });
  await openChatOf('Alice');
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  /** What the page shows once the user returns at another time. */
  const showAt = async (time: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: time });
    window.dispatchEvent(new Event('focus'));
    await nextFrames(2);
    return shownTimes();
  };
  const today = shownTimes();
  expect(today.sent).toMatch(EXPECTED.en.today);
  expect(today).toMatchObject({ listed: today.sent, day: 'Today' });
  const yesterday = `Yesterday ${today.sent}`;
  expect(await showAt(now + 10 * 60 * 60_000)).toEqual({
    listed: yesterday,
    sent: yesterday,
    day: 'Yesterday',
  });
  // The message is then from the future.
  expect(await showAt(now - 40 * DAY)).toEqual(today);
});

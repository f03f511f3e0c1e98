import { message, messages } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES } from './support/texts.ts';

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
  test(`messages show their time, and their day if it is not today (${language})`, async ({
    server,
    newPage,
  }) => {
    const viewport = { width: 320, height: 700 };
    const { alice, room } = await openChatroom(newPage, server, { language, viewport });
    const { page } = alice;
    await sendFile(page, room, 'image', createPng(30, 30));
    await sendFile(page, room, 'audio', createWav(1));
    await expect(messages(page)).toHaveCount(3);
    const times = page.locator('[data-message] time');

    for (const [daysLater, when] of [
      [0, 'today'],
      [1, 'yesterday'],
      [2, 'before'],
    ] as const) {
      await page.clock.setSystemTime(Date.now() + daysLater * DAY);
      await goToChatroom(page, room);
      await expect(message(page, 'Hello Bob!').locator('time')).toHaveText(
        EXPECTED[language][when],
      );
      for (const time of await times.all()) {
        await expect(time).toHaveText(EXPECTED[language][when]);
        // The time must be inside its bubble.
        const isOutside = await time.evaluate((element) => {
          const bubble = element.closest('[data-message]')?.getBoundingClientRect();
          const own = element.getBoundingClientRect();
          return !bubble || own.left < bubble.left || own.right > bubble.right;
        });
        expect(isOutside).toBe(false);
      }
    }
  });
}

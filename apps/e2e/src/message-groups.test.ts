import type { Locator } from 'playwright/test';
import { sendOverHttp } from './support/browser-user.ts';
import { message, messages } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { scrollUntilVisible } from './support/scroll-until.ts';
import { goToChatroom, openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

/** Minimum size of a message's time, in pixels. */
const TIME_MIN = 12;

test('messages that follow each other form a group with one avatar and one tail', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  for (const text of ['First', 'Second']) await sendOverHttp(alice.page, 'Bob', text);
  await sendFile(alice.page, room, 'image', createPng(400, 300));
  await sendFile(alice.page, room, 'audio', createWav(1));

  for (const [{ page }, side] of [
    [alice, 'right'],
    [bob, 'left'],
  ] as const) {
    const bubbles = messages(page);
    await expect(bubbles).toHaveCount(5);
    const looks = await bubbles.evaluateAll((elements, side) => {
      return elements.map((element) => {
        const { borderRadius, ...style } = getComputedStyle(element);
        const [topLeft, topRight, bottomRight, bottomLeft] = borderRadius.split(' ');
        const { content } = getComputedStyle(element, '::after');
        return {
          top: side === 'left' ? topLeft : topRight,
          bottom: side === 'left' ? (bottomLeft ?? topRight) : (bottomRight ?? topLeft),
          hasTail: content !== 'none' && style.position === 'relative',
          hasAvatar: element.closest('article')?.querySelector('img[src*="avatar"]') !== null,
        };
      });
    }, side);
    const inner = { hasTail: false, hasAvatar: false };
    expect(looks).toEqual([
      { ...inner, top: '16px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { top: '5px', bottom: '0px', hasTail: true, hasAvatar: side === 'left' },
    ]);
    for (const time of await bubbles.locator('time').all()) {
      expect(await fontSizeOf(time)).toBeGreaterThanOrEqual(TIME_MIN);
    }
  }
});

function fontSizeOf(element: Locator): Promise<number> {
  return element.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
}

for (const language of TEST_LANGUAGES) {
  test(`the day of the topmost message floats above the list while scrolling (${language})`, async ({
    server,
    newPage,
  }) => {
    const t = createTranslator(language);
    const { alice, room } = await openChatroom(newPage, server, { language });
    const { page } = alice;
    for (let i = 1; i <= 40; i++) await sendOverHttp(page, 'Bob', `Line ${i}.`);
    await page.clock.install();
    await goToChatroom(page, room);
    const last = message(page, 'Line 40.');
    await expect(last).toBeInViewport();
    const day = language === 'en' ? 'Today' : 'Heute';
    const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
    const pill = list.locator('xpath=..').locator('p[aria-hidden]');
    await expect(pill).toHaveCount(0);

    await last.hover();
    // It would fade out after a second.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    const scroll = async (): Promise<number> => {
      await page.mouse.wheel(0, -100);
      return pill.count();
    };
    await expect.poll(scroll).toBe(1);
    await expect(pill).toHaveText(day);
    await expect(pill).toHaveAttribute('data-visible');
    await page.clock.runFor(1_000);
    await expect(pill).not.toHaveAttribute('data-visible');
    await page.clock.resume();

    // It is hidden while the day is visible at the top of the list.
    await scrollUntilVisible(list.getByText(day, { exact: true }), -600);
    await expect(pill).not.toHaveAttribute('data-visible');
  });
}

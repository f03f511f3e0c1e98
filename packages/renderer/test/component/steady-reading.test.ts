import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');
const COUNT = 120;
const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });

const text = (i: number): string =>
  `Message ${i}. ${'Words that fill a line or two of the bubble. '.repeat(i % 4)}`;

const topOf = (message: Locator): number => message.element().getBoundingClientRect().top;

async function nextFrames(): Promise<void> {
  for (let frame = 0; frame < 10; frame += 1) {
    await new Promise((resolve) => void requestAnimationFrame(resolve));
  }
}

/** Scrolls the list up to somewhere in the middle until it has measured what it shows. */
async function scrollUp(): Promise<void> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const element = list.element();
      element.dispatchEvent(new WheelEvent('wheel'));
      // The list may go back to where it has opened when it has just opened.
      if (element.scrollTop > element.scrollHeight / 2)
        element.scrollTop = element.scrollHeight / 2;
      await nextFrames();
      const isStill = element.scrollTop === last;
      last = element.scrollTop;
      return isStill;
    })
    .toBe(true);
}

/** Returns the number of the first message that is completely visible. */
function firstVisible(): number {
  const { top } = list.element().getBoundingClientRect();
  const first = [...list.element().querySelectorAll<HTMLElement>('[data-message]')].find(
    (message) => message.getBoundingClientRect().top >= top,
  );
  return Number(/\d+/.exec(first?.innerText ?? '')?.[0]);
}

test('the text that is read stays in its place when messages above it are deleted', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const ids: string[] = [];
  for (let i = 0; i < COUNT; i += 1) ids.push(await sendTextAs(server, 'Bob', room, text(i)));
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  await expect.element(messageWith(`Message ${COUNT - 1}.`)).toBeInViewport();
  await scrollUp();
  const number = firstVisible();
  const read = messageWith(`Message ${number}.`);
  const top = topOf(read);
  const bob = actAs(server, 'Bob');
  // At the top, within the rows that are rendered, far above them, and several at once.
  for (const [i, above] of [[1], [2], [6], [40], [12, 13, 25, 39, 7]].entries()) {
    for (const distance of above) {
      await bob.call('deleteMessage', { body: { messageId: ids[number - distance] ?? '' } });
    }
    // Arrives after the deletions.
    const content = `Message ${number + 1}. Edited ${i}.`;
    await bob.call('editMessage', { body: { messageId: ids[number + 1] ?? '', content } });
    await expect.element(messageWith(content)).toBeVisible();
    await nextFrames();
    // A message that becomes the first of its group has a little more space above.
    expect(Math.abs(topOf(read) - top)).toBeLessThanOrEqual(4);
  }
});

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';

/** Minimum size of a message's time, in pixels. */
const TIME_MIN = 12;

/** Returns how a message looks at the side of its tail. */
function describeBubble(bubble: Element, side: 'left' | 'right') {
  const { borderRadius, position } = getComputedStyle(bubble);
  const [topLeft, topRight, bottomRight, bottomLeft] = borderRadius.split(' ');
  const { content } = getComputedStyle(bubble, '::after');
  return {
    top: side === 'left' ? topLeft : topRight,
    bottom: (side === 'left' ? (bottomLeft ?? topRight) : bottomRight) ?? topLeft,
    hasTail: content !== 'none' && position === 'relative',
  };
}

test('messages that follow each other form a group with one tail and without avatars', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (const text of ['First', 'Second']) await sendTextAs(server, 'Alice', room, text);
  await sendMediaAs(server, 'Alice', room, await createImageFile(400, 300));
  await sendMediaAs(server, 'Alice', room, createRecordingFile(1));

  for (const [user, side] of [
    ['Alice', 'right'],
    ['Bob', 'left'],
  ] as const) {
    await openApp({ server, user, path: `/chatarea/chats/${room}` });
    const bubbles = page.getByCss('[data-message]');
    await expect.poll(() => bubbles.elements()).toHaveLength(5);
    const inner = { hasTail: false };
    expect(bubbles.elements().map((bubble) => describeBubble(bubble, side))).toEqual([
      { ...inner, top: '16px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { ...inner, top: '5px', bottom: '5px' },
      { top: '5px', bottom: '0px', hasTail: true },
    ]);
    expect(page.getByRole('article').getByCss('img[src*="avatar"]').elements()).toEqual([]);
    for (const time of bubbles.getByCss('time').elements()) {
      expect(Number.parseFloat(getComputedStyle(time).fontSize)).toBeGreaterThanOrEqual(TIME_MIN);
    }
  }
});

test('a picture at the end of a group has no tail', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendMediaAs(server, 'Alice', room, await createImageFile(400, 300));
  await sendMediaAs(server, 'Bob', room, await createImageFile(40, 30));
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  const bubbles = page.getByCss('[data-message]');
  await expect.poll(() => bubbles.elements()).toHaveLength(3);
  const [, own, partner] = bubbles.elements();
  const whole = { top: '16px', bottom: '16px', hasTail: false };
  expect(own && describeBubble(own, 'right')).toEqual({ ...whole, top: '5px' });
  expect(partner && describeBubble(partner, 'left')).toEqual(whole);
});

for (const language of TEST_LANGUAGES) {
  test(`the day of the topmost message floats above the list while scrolling (${language})`, async () => {
    const t = createTranslator(language);
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    for (let i = 1; i <= 40; i += 1) await sendTextAs(server, 'Alice', room, `Line ${i}.`);
    await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, language });
    await expect.element(messageWith('Line 40.')).toBeInViewport();
    const day = language === 'en' ? 'Today' : 'Heute';
    const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
    const pill = page.getByTitle(t('calendar.open'));
    await expect.element(pill).not.toBeInTheDocument();

    // It would fade out after a second.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await userEvent.wheel(list, { delta: { y: -100 } });
    await expect.element(pill).toHaveAttribute('data-visible');
    await expect.element(pill).toHaveTextContent(day);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.element(pill).not.toHaveAttribute('data-visible');

    // It opens the calendar on its day, and gets the focus back.
    await userEvent.wheel(list, { delta: { y: -10 } });
    await pill.click();
    vi.useRealTimers();
    const dialog = page.getByRole('dialog', { name: t('calendar.jump') });
    await expect.element(dialog.getByCss('[aria-selected="true"] button')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(pill).toHaveFocus();

    // It is hidden while the day is visible at the top of the list, without the timer.
    const setTimer = vi.spyOn(window, 'setTimeout').mockReturnValue(0 as never);
    onTestFinished(() => setTimer.mockRestore());
    const separator = list.getByText(day);
    await expect
      .poll(async () => {
        await userEvent.wheel(list, { delta: { y: -600 } });
        return separator.query()?.getBoundingClientRect().top;
      })
      .toBeGreaterThan(list.element().getBoundingClientRect().top);
    await expect.element(separator).toBeInViewport();
    await expect.element(pill).not.toHaveAttribute('data-visible');
  });
}

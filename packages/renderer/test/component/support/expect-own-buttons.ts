import { createTranslator } from '@parley/texts/translator';
import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './act-as.ts';
import { messageBox, messageWith } from './locators.ts';
import { openApp, type AppOptions } from './open-app.ts';

const t = createTranslator('en');

/** Minimum size of a target in pixels, with a mouse and with touch. */
const TARGET_MIN = { mouse: 24, touch: 32 };

/** Expects that a button is in the last row of its message's bubble, beside the time. */
function expectBesideTime(button: Element): void {
  const bubble = button.closest('[data-message]');
  const time = bubble?.querySelector('time');
  if (!bubble || !time) throw new Error('the button is in no bubble with a time');
  const [box, icon, around, clock] = [button, button.firstElementChild ?? button, bubble, time].map(
    (element) => element.getBoundingClientRect(),
  );
  if (!box || !icon || !around || !clock) return;
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
  expect(Math.abs(middle(icon) - middle(clock))).toBeLessThan(2);
  expect(icon.right).toBeLessThan(clock.left);
  expect(box.bottom).toBeLessThanOrEqual(around.bottom);
  expect(box.left).toBeGreaterThanOrEqual(around.left);
}

/** Expects that the buttons to edit and delete own messages are visible and can be pressed, without hovering them. */
export async function expectOwnButtons(
  viewport: NonNullable<AppOptions['viewport']>,
  press: (button: Locator) => Promise<void>,
): Promise<void> {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendTextAs(server, 'Alice', room, 'One more');
  const long = 'And a text that is long enough for several lines. ';
  await sendTextAs(server, 'Alice', room, long.repeat(4));
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, viewport });
  await expect.element(messageWith('several lines')).toBeVisible();
  await page.getByCss('h1').first().hover();
  const targetMin = matchMedia('(hover: none)').matches ? TARGET_MIN.touch : TARGET_MIN.mouse;
  for (const name of [t('message.edit'), t('message.delete')]) {
    const buttons = page.getByRole('button', { name, exact: true });
    expect(buttons.elements()).toHaveLength(3);
    for (const button of buttons.all()) {
      await expect.element(button).toBeInViewport({ ratio: 1 });
      const element = button.element();
      expect(element.parentElement && getComputedStyle(element.parentElement).opacity).toBe('1');
      expectBesideTime(element);
      // A click in its center hits the button itself.
      const { x, y, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      expect(element.contains(hit)).toBe(true);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(targetMin);
    }
  }
  const edits = page.getByRole('button', { name: t('message.edit'), exact: true });
  await press(edits.nth(1));
  await expect.element(messageBox()).toHaveValue('One more');
}

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith, messageBox } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

for (const [input, options] of [
  ['a mouse', {}],
  ['touch', { touch: true, viewport: { width: 320, height: 700 } }],
] as const) {
  test(`the buttons to edit and delete own messages are visible without hovering or tapping, with ${input}`, async () => {
    const server = createServerWith(['Alice', 'Bob']);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    await sendTextAs(server, 'Alice', room, 'One more');
    const long = 'And a text that is long enough for several lines. ';
    await sendTextAs(server, 'Alice', room, long.repeat(4));
    await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, ...options });
    await expect.element(messageWith('several lines')).toBeVisible();
    await page.getByCss('h1').first().hover();
    for (const name of [t('message.edit'), t('message.delete')]) {
      const buttons = page.getByRole('button', { name, exact: true });
      expect(buttons.elements()).toHaveLength(3);
      for (const button of buttons.all()) {
        await expect.element(button).toBeInViewport({ ratio: 1 });
        const element = button.element();
        expect(element.parentElement && getComputedStyle(element.parentElement).opacity).toBe('1');
        // A click in its center hits the button itself.
        const { x, y, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        expect(element.contains(hit)).toBe(true);
      }
    }
    const edits = page.getByRole('button', { name: t('message.edit'), exact: true });
    await edits.nth(1).click();
    await expect.element(messageBox()).toHaveValue('One more');
  });
}

import { test } from 'vitest';
import { expectOwnButtons } from './support/expect-own-buttons.ts';

test('the buttons to edit and delete own messages are visible without hovering, with a mouse', async () => {
  await expectOwnButtons({ width: 1280, height: 800 }, (button) => button.click());
});

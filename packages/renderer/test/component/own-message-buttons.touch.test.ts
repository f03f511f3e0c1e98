import { expect, test } from 'vitest';
import { expectOwnButtons } from './support/expect-own-buttons.ts';
import { tap } from './support/tap.ts';

test('the buttons to edit and delete own messages are visible without tapping, with touch', async () => {
  expect(matchMedia('(hover: none) and (pointer: coarse)').matches).toBe(true);
  await expectOwnButtons({ width: 320, height: 700 }, tap);
});

import { expect, test } from 'vitest';
import { carryOut } from './carry-out.ts';

test('accepts no recording of twelve hours, and people go on chatting meanwhile', async () => {
  const { attacked, counts } = await carryOut('long-recordings', { quiet: 0.5, attack: 5 });
  expect(counts).toMatchObject({ accepted: 0, refused: 0 });
  expect(counts['tooLong']).toBeGreaterThan(0);
  expect(attacked.failures).toBe(0);
  expect(attacked.messages).toBeGreaterThan(0);
}, 120_000);

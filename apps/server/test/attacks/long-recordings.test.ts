import { expect, test } from 'vitest';
import { runAttack } from './run-attack.ts';

test('rejects recordings of twelve hours while users keep chatting', async () => {
  const { attacked, counts } = await runAttack('long-recordings', { quiet: 0.5, attack: 5 });
  expect(counts).toMatchObject({ accepted: 0, otherErrors: 0 });
  expect(counts['tooLong']).toBeGreaterThan(0);
  expect(attacked.failures).toBe(0);
  expect(attacked.messages).toBeGreaterThan(0);
}, 120_000);

import { expect, test } from 'vitest';
import { runAttack } from './run-attack.ts';

test('inspects hostile images without keeping the main thread busy', async () => {
  const { attacked, counts, longestTurn } = await runAttack('hostile-images', {
    quiet: 0.5,
    attack: 8,
  });
  expect(counts['tooComplex']).toBeGreaterThan(0);
  expect(attacked.failures).toBe(0);
  // An inspection on the main thread would take 500 to 2,000 ms of computing.
  expect(longestTurn.attacked).toBeLessThan(250);
}, 120_000);

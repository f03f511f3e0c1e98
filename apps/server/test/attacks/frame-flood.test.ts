import { expect, test } from 'vitest';
import { runAttack } from './run-attack.ts';

test('closes live connections that send unsolicited pong frames continuously', async () => {
  const { attacked, counts } = await runAttack('frame-flood', { quiet: 0.5, attack: 2 });
  expect(counts['closedByServer']).toBeGreaterThan(0);
  expect(attacked.failures).toBe(0);
  expect(attacked.messages).toBeGreaterThan(0);
}, 120_000);

import { expect, test } from 'vitest';
import { runAttack } from './run-attack.ts';

/** In seconds. */
const DURATION = { quiet: 0.5, attack: 2 };
/** Maximum growth of the server's memory in MiB. */
const GROWTH_MAX = 150;

test.each(['pipelining', 'unread-responses'] as const)(
  'closes the connections of the attack "%s" and keeps serving users with bounded memory',
  async (name) => {
    const { attacked, counts, memory } = await runAttack(name, DURATION);
    expect(counts['closedByServer']).toBeGreaterThan(0);
    expect(attacked.failures).toBe(0);
    expect(attacked.messages).toBeGreaterThan(0);
    expect(memory.peak - memory.before).toBeLessThan(GROWTH_MAX);
  },
  120_000,
);

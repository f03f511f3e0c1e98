import { ATTACKS } from './attacks.ts';
import type { AttackOrder } from './carry-out.ts';

// The process that `carryOut` starts: attacks, sends what it counted, and ends.
const order = JSON.parse(process.argv[2] ?? '') as AttackOrder;
const { name, port, prepared, seconds } = order;
const host = '127.0.0.1';
const counts = await ATTACKS[name].run({
  host,
  port,
  url: `http://${host}:${port}`,
  prepared,
  signal: AbortSignal.timeout(seconds * 1000),
});
process.send?.(counts, () => process.exit());

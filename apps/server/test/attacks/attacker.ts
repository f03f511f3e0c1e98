import { ATTACKS } from './attacks.ts';
import type { AttackerOptions } from './run-attack.ts';

// `runAttack` starts this program as a separate process. It attacks, sends the counts and exits.
const options = JSON.parse(process.argv[2] ?? '') as AttackerOptions;
const { name, port, prepared, seconds } = options;
const host = '127.0.0.1';
const counts = await ATTACKS[name].run({
  host,
  port,
  url: `http://${host}:${port}`,
  prepared,
  signal: AbortSignal.timeout(seconds * 1000),
});
process.send?.(counts, () => process.exit());

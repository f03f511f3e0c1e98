import { parseArgs } from 'node:util';
import { startPostgresCluster, type PostgresCluster } from '@parley/testing';
import pg from 'pg';
import { ATTACKS, type AttackName } from './attacks.ts';
import { runAttack, VARIANTS, type Report } from './run-attack.ts';

/*
 * npm run attack -w @parley/server -- <name>... [--seconds 5] [--server sources] [--postgres] [--json]
 *
 * Runs the named attacks, or all of them, one after another, and prints how they affected the users of
 * the server. `--server` is `sources`, or `built` or `binary` after a build. With `--postgres`, it uses a
 * database of PostgreSQL instead of SQLite. All traffic is local. Exits with 1 if an attack exceeds a limit, which
 * is measured well only on a machine that does nothing else, and not with `sources`, which are also compiled.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    server: { type: 'string', default: 'sources' },
    postgres: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(ATTACKS, name));
const seconds = Number(values.seconds);
const variant = VARIANTS.find((each) => each === values.server);
if (unknown.length > 0 || !(seconds > 0 && seconds <= 120) || variant === undefined) {
  process.stderr.write(`${usage()}\n`);
  process.exit(2);
}
/** Milliseconds of computing in one turn of the event loop. */
const TURN_MAX = 50;
/** MiB by which the server grows, unless the attack allows more. */
const GROWTH_MAX = 150;

const names = positionals.length > 0 ? positionals : Object.keys(ATTACKS);
const cluster = values.postgres ? await startPostgresCluster() : undefined;
for (const name of names as AttackName[]) {
  const databaseUrl = cluster && (await createDatabase(cluster.urlOf, name));
  const { minSeconds = 0, growthMax } = ATTACKS[name];
  const duration = { quiet: Math.min(3, seconds), attack: Math.max(seconds, minSeconds) };
  const report = await runAttack(name, duration, { variant, databaseUrl });
  process.stdout.write(
    values.json ? `${JSON.stringify({ name, ...report })}\n` : describe(name, report),
  );
  for (const excess of findExcesses(report, growthMax)) {
    process.stderr.write(`${name}: ${excess}\n`);
    process.exitCode = 1;
  }
}
await cluster?.stop();

async function createDatabase(urlOf: PostgresCluster['urlOf'], name: string): Promise<string> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  await client.query(`create database "${name}"`);
  await client.end();
  return urlOf(name);
}

function findExcesses({ memory, longestTurn }: Report, growthMax = GROWTH_MAX): string[] {
  const growth = memory.peak - memory.before;
  return [
    ...(longestTurn.attacked > TURN_MAX
      ? [`a turn took ${longestTurn.attacked} ms, more than ${TURN_MAX}`]
      : []),
    ...(growth > growthMax ? [`the server grew by ${growth} MiB, more than ${growthMax}`] : []),
  ];
}

function usage(): string {
  const lines = Object.entries(ATTACKS).map(
    ([name, { summary }]) => `  ${name.padEnd(20)}${summary}`,
  );
  return `attack [<name>...] [--seconds <1 to 120>] [--server ${VARIANTS.join('|')}] [--postgres] [--json]\n${lines.join('\n')}`;
}

function describe(
  name: AttackName,
  { quiet, attacked, counts, memory, longestTurn }: Report,
): string {
  const row = (label: string, before: number, during: number, unit: string) =>
    `  ${label.padEnd(26)}${`${before} ${unit}`.padStart(12)}${`${during} ${unit}`.padStart(12)}\n`;
  const counted = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  return [
    `${name}: ${ATTACKS[name].summary}\n`,
    `  ${''.padEnd(26)}${'quiet'.padStart(12)}${'attacked'.padStart(12)}\n`,
    row('stall of /healthz', quiet.stall, attacked.stall, 'ms'),
    row('longest turn', longestTurn.quiet, longestTurn.attacked, 'ms'),
    row('message, median', quiet.messageMedian, attacked.messageMedian, 'ms'),
    row('message, 99th percentile', quiet.messageP99, attacked.messageP99, 'ms'),
    row('failed or rejected', quiet.failures, attacked.failures, ''),
    row('resident memory, peak', memory.before, memory.peak, 'MiB'),
    `  ${counted.join(', ')}\n`,
  ].join('');
}

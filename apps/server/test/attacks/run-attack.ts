import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  BUILT_BINARY,
  builtServer,
  COMPILE_CACHE,
  createServerProcess,
  serverFromSources,
  type Program,
} from '@parley/testing';
import { startServer } from '../harness.ts';
import type { Counts } from './attack.ts';
import { ATTACKS, type AttackName } from './attacks.ts';
import { createBystanders, observe, type Impact } from './bystander.ts';
import { residentMemory } from './resident-memory.ts';

const MEMORY_SAMPLE_INTERVAL = 50;
const TURN_MONITOR = join(import.meta.dirname, 'turn-monitor.ts');

/** Duration of an attack and of the idle phase before it, in seconds. */
export interface Duration {
  readonly quiet: number;
  readonly attack: number;
}

/** The effects of an attack on a server and its users. Memory is the resident set size in MiB. */
export interface Report {
  readonly quiet: Impact;
  readonly attacked: Impact;
  readonly counts: Counts;
  readonly memory: { readonly before: number; readonly peak: number };
  /** The longest turn of the server's event loop, in milliseconds of computing of its main thread. */
  readonly longestTurn: { readonly quiet: number; readonly attacked: number };
}

/** Which server is attacked: from its sources, or one that was built. */
export const VARIANTS = ['sources', 'built', 'binary'] as const;

/** The server that is attacked. */
interface Setup {
  readonly variant?: (typeof VARIANTS)[number];
  /** URL of an empty database of PostgreSQL. Without it, the server uses SQLite. */
  readonly databaseUrl?: string | undefined;
}

/** Starts a server, observes it while it is idle, then attacks it. */
export async function runAttack(
  name: AttackName,
  duration: Duration,
  { variant = 'sources', databaseUrl }: Setup = {},
): Promise<Report> {
  const attack = ATTACKS[name];
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  const database = { ...(databaseUrl !== undefined && { PARLEY_DATABASE_URL: databaseUrl }) };
  const seed = await startServer(database, dataDir);
  const bystanders = await createBystanders(seed);
  const prepared = await attack.prepare?.(seed);
  await seed.close();

  const turns = new LongestTurn();
  const program = programOf(variant, dataDir);
  const env = { ...program.env, ...attack.env, ...database };
  const onReport = (text: string) => turns.add(text);
  const server = await createServerProcess({ ...program, env, onReport });
  await server.start();
  const url = `http://127.0.0.1:${server.port}`;
  const memory = watchMemory(server.pid ?? 0);
  try {
    // Starting takes long.
    turns.restart();
    const quiet = await observe(url, bystanders, AbortSignal.timeout(duration.quiet * 1000));
    const before = memory.peak();
    const quietTurn = turns.restart();
    const ended = new AbortController();
    const counting = attackFrom({ name, port: server.port, prepared, seconds: duration.attack });
    void counting.finally(() => ended.abort()).catch(() => undefined);
    const attacked = await observe(url, bystanders, ended.signal);
    const counts = await counting;
    const longestTurn = { quiet: quietTurn, attacked: turns.restart() };
    return { quiet, attacked, counts, memory: { before, peak: memory.peak() }, longestTurn };
  } finally {
    memory.stop();
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The options that `runAttack` passes to the attacker's process. */
export interface AttackerOptions {
  readonly name: AttackName;
  readonly port: number;
  readonly prepared: unknown;
  readonly seconds: number;
}

function programOf(variant: Setup['variant'], dataDir: string): Program {
  const program = variant === 'built' ? builtServer(dataDir) : serverFromSources(dataDir);
  // Node's options do not apply to the binary, so its turns are not measured.
  if (variant === 'binary') return { ...program, command: BUILT_BINARY, args: [] };
  return { ...program, args: ['--import', pathToFileURL(TURN_MONITOR).href, ...program.args] };
}

/** The longest turn of the event loop that the turn monitor has reported. */
class LongestTurn {
  #longest = 0;
  /** The beginning of a line. */
  #rest = '';

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.#longest = Math.max(this.#longest, ...lines.map(Number));
  }

  /** Returns the longest turn so far, and forgets it. */
  restart(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }
}

/** Attacks from another process, so that its load does not distort the measurements of this one. */
function attackFrom(options: AttackerOptions): Promise<Counts> {
  const child = fork(join(import.meta.dirname, 'attacker.ts'), [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, ...COMPILE_CACHE },
  });
  return new Promise((resolve, reject) => {
    child.on('message', (counts: Counts) => resolve(counts));
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the attacker ended early with ${code}`)));
  });
}

function watchMemory(pid: number) {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentMemory(pid));
  };
  const timer = setInterval(sample, MEMORY_SAMPLE_INTERVAL);
  return {
    peak() {
      sample();
      return peak;
    },
    stop: () => clearInterval(timer),
  };
}

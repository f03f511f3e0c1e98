import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE, createServerProcess, serverFromSources } from '@parley/testing';
import { startServer } from '../harness.ts';
import type { Counts } from './attack.ts';
import { ATTACKS, type AttackName } from './attacks.ts';
import { createBystanders, observe, type Impact } from './bystander.ts';
import { residentMemory } from './resident-memory.ts';

const MEMORY_SAMPLE_INTERVAL = 50;

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
}

/** Starts a server, observes it while it is idle, then attacks it. */
export async function runAttack(name: AttackName, duration: Duration): Promise<Report> {
  const attack = ATTACKS[name];
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  const seed = await startServer({}, dataDir);
  const bystanders = await createBystanders(seed);
  const prepared = await attack.prepare?.(seed);
  await seed.close();

  const { command, args, cwd, env } = serverFromSources(dataDir);
  const program = { command, args, cwd, env: { ...env, ...attack.env } };
  const server = await createServerProcess(program);
  await server.start();
  const url = `http://127.0.0.1:${server.port}`;
  const memory = watchMemory(server.pid ?? 0);
  try {
    const quiet = await observe(url, bystanders, AbortSignal.timeout(duration.quiet * 1000));
    const before = memory.peak();
    const ended = new AbortController();
    const counting = attackFrom({ name, port: server.port, prepared, seconds: duration.attack });
    void counting.finally(() => ended.abort()).catch(() => undefined);
    const attacked = await observe(url, bystanders, ended.signal);
    const counts = await counting;
    return { quiet, attacked, counts, memory: { before, peak: memory.peak() } };
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

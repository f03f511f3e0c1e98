import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** How a server is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its variables but the port. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server in a process of its own, on a port that stays the same over restarts. */
export interface ServerProcess {
  readonly port: number;
  /** Id of the process; undefined before its first start. */
  readonly pid: number | undefined;
  /** Resolves when it answers. Rejects if it ends before, or does not answer within 30 seconds. */
  readonly start: () => Promise<void>;
  /** Ends it as an administrator would. */
  readonly stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
}

const PATIENCE_MS = 30_000;
/** Between two questions whether it answers; the exactness of a measured start. */
const ASK_EVERY_MS = 5;

/** Prepares a program that listens on the port in `PARLEY_PORT` and answers at `/api/config`. */
export async function createServerProcess(program: Program): Promise<ServerProcess> {
  const { command, args, cwd, env } = program;
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || hasEnded(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  return {
    port,
    get pid() {
      return child?.pid;
    },
    async start() {
      child = spawn(command, args, {
        cwd,
        env: { ...env, PARLEY_PORT: String(port) },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      try {
        await untilReady(`http://127.0.0.1:${port}/api/config`, child);
      } catch (error) {
        await end('SIGKILL');
        throw error;
      }
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child)) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}`);
    }
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(`the server did not answer within ${PATIENCE_MS / 1_000} seconds`);
}

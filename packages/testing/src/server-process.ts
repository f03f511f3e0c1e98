import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

/** How to start a server. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Environment variables except the port. */
  readonly env: Readonly<Record<string, string>>;
  /** Receives what the program writes to file descriptor 3. */
  readonly onReport?: (text: string) => void;
}

/** A server in its own process. Its port stays the same across restarts. */
export interface ServerProcess {
  readonly port: number;
  /** Process id, undefined before the first start. */
  readonly pid: number | undefined;
  /**
   * Resolves once the server responds. Rejects if it exits before that, or does not respond within 30
   * seconds.
   */
  readonly start: () => Promise<void>;
  /** Stops the server gracefully. */
  readonly stop: () => Promise<void>;
  /** Kills the server, like a power failure. */
  readonly kill: () => Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
/**
 * Milliseconds between checks of whether the server responds. Also the precision of measured start
 * times.
 */
const POLL_INTERVAL_MS = 5;

/** Creates a process for a program that listens on `PARLEY_PORT` and responds at `/api/config`. */
export async function createServerProcess(program: Program): Promise<ServerProcess> {
  const { command, args, cwd, env, onReport } = program;
  const port = await findFreePort();
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
        stdio: ['ignore', 'inherit', 'inherit', onReport === undefined ? 'ignore' : 'pipe'],
      });
      const reports = child.stdio[3];
      if (reports instanceof Readable) {
        reports.setEncoding('utf8').on('data', (text: string) => onReport?.(text));
      }
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
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child)) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}`);
    }
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`the server did not respond within ${START_TIMEOUT_MS / 1_000} seconds`);
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../server/dist/main.mjs');

/** The built server as its own process, on a port and a data folder that stay the same over restarts. */
export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  /** Ends the process as an administrator would. */
  stop(): Promise<void>;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The newest key that was mailed to an address, from the outbox. */
  keyFor(email: string): Promise<string>;
}

/** Starts the built server; `env` adds to its variables. End it with `dispose`. */
export async function runServer(
  env: Record<string, string> = {},
): Promise<RunningServer & { dispose(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;

  async function start() {
    child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        PARLEY_DATA: dataDir,
        PARLEY_PORT: String(port),
        PARLEY_LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await untilReady(url, child);
  }

  async function end(signal: NodeJS.Signals) {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  await start();
  return {
    url,
    dataDir,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    keyFor: (email) => keyFromOutbox(join(dataDir, 'outbox'), email),
    async dispose() {
      await end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const answer = await fetch(`${url}/api/config`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server did not answer within 30 seconds');
}

async function keyFromOutbox(outbox: string, email: string): Promise<string> {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const names = await readdir(outbox).catch(() => []);
    for (const name of names
      .filter((n) => n.endsWith('.eml'))
      .toSorted((a, b) => b.localeCompare(a))) {
      const mail = await readFile(join(outbox, name), 'utf8');
      if (!new RegExp(`^To: .*${RegExp.escape(email)}`, 'im').test(mail)) continue;
      const key = /^\s*([A-Za-z0-9]{8}|\d{6})\s*$/m.exec(mail)?.[1];
      if (key !== undefined) return key;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no key was mailed to ${email}`);
}

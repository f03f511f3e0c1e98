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

/** How a server is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its variables but the port. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
}

/** The server that `npm run build` makes, with its data in `folder`. */
function builtServer(folder: string): Program {
  return {
    command: process.execPath,
    args: [MAIN],
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      PARLEY_DATA: folder,
      PARLEY_LOG_LEVEL: 'warn',
    },
    dataDir: folder,
  };
}

/**
 * Starts a server in a folder of its own; `env` adds to its variables, and `program` says how in
 * place of the built one. End it with `dispose`.
 */
export async function runServer(
  env: Record<string, string> = {},
  program: (folder: string) => Program = builtServer,
): Promise<RunningServer & { dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const { command, args, cwd, dataDir, env: ownEnv } = program(folder);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;

  async function start() {
    child = spawn(command, args, {
      cwd,
      env: { ...ownEnv, PARLEY_PORT: String(port), ...env },
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
      await rm(folder, { recursive: true, force: true });
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

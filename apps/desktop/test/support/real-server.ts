import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../server/src/main.ts');

/** Parley's own server as a process of its own. */
export interface RealServer {
  readonly origin: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** The newest key that was mailed to an address. */
  readonly keyFor: (email: string) => Promise<string>;
  readonly dispose: () => Promise<void>;
}

export async function startRealServer(): Promise<RealServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-desktop-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        PARLEY_DATA: dataDir,
        PARLEY_PORT: String(port),
        PARLEY_LOG_LEVEL: 'error',
        PARLEY_RATE_LIMITS: 'false',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await untilReady(origin, child);
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  await start();
  return {
    origin,
    start,
    stop,
    keyFor: (email) => keyFromOutbox(join(dataDir, 'outbox'), email),
    dispose: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const answer = await fetch(`${origin}/api/config`).catch(() => undefined);
    if (answer?.ok === true) return;
    await pause(50);
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
      const key = /^\s*(\d{6})\s*$/m.exec(mail)?.[1];
      if (key !== undefined && mail.includes(email)) return key;
    }
    await pause(100);
  }
  throw new Error(`no key was mailed to ${email}`);
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

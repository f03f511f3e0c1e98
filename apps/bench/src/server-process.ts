import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** A server in its own process, waited for until it answers. */
export interface ServerProcess {
  readonly url: string;
  /** From the start of the process to the first answer with status 200, in milliseconds. */
  readonly startMs: number;
  /** Resident memory in bytes; undefined where the system does not tell. */
  rss(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** Starts a program that listens on the port in `PARLEY_PORT`, and waits for `probe` to answer 200. */
export async function startServer(
  main: string,
  probe: string,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PARLEY_PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(url + probe, child);
  return {
    url,
    startMs: performance.now() - started,
    rss: () => rssOf(child.pid),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the server did not answer within 30 seconds');
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

async function rssOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

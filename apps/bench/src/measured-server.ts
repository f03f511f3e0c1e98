import { readFile } from 'node:fs/promises';
import { createServerProcess } from '@parley/testing';

/** A running server with its start time and memory use. */
export interface MeasuredServer {
  readonly url: string;
  /** From the start of the process to the first response with status 200, in milliseconds. */
  readonly startMs: number;
  /** Resident memory in bytes; undefined on systems without `/proc`. */
  readonly rss: () => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/** Starts a server program with the data folder in `env`. */
export async function startMeasuredServer(
  main: string,
  env: Readonly<Record<string, string>>,
): Promise<MeasuredServer> {
  const server = await createServerProcess({
    command: process.execPath,
    args: [main],
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const before = performance.now();
  await server.start();
  return {
    url: `http://127.0.0.1:${server.port}`,
    startMs: performance.now() - before,
    rss: () => rssOf(server.pid),
    stop: server.stop,
  };
}

async function rssOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

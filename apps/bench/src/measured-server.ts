import { readFile } from 'node:fs/promises';
import { createServerProcess } from '@parley/testing';

/** A running server with its start time and memory use. */
export interface MeasuredServer {
  readonly url: string;
  /** From the start of the process to the first response with status 200, in milliseconds. */
  readonly startMs: number;
  /** Resident memory in bytes; undefined on systems without `/proc`. */
  readonly rss: () => Promise<number | undefined>;
  /** CPU time used so far in seconds; undefined on systems without `/proc`. */
  readonly cpuTime: () => Promise<number | undefined>;
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
    cpuTime: () => cpuTimeOf(server.pid),
    stop: server.stop,
  };
}

async function rssOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/** Clock ticks per second in `/proc`. */
const TICKS = 100;

async function cpuTimeOf(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS;
}

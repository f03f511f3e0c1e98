import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes a folder whose path begins with `prefix`, works in it, and removes it with all that is left
 * in it: after success, after failure, and when the process is told to end.
 */
export async function withWorkFolder<T>(
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(prefix);
  const stop = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true });
    for (const name of SIGNALS) process.off(name, stop);
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(folder);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
    await rm(folder, { recursive: true, force: true });
  }
}

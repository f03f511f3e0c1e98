import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How the work folders in a data folder begin. */
export const WORK_IN_DATA = { backup: '.backup-', restore: '.restore-' } as const;

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

/**
 * Removes what is in a data folder of work that began before a time (milliseconds since 1970) and was
 * cut off by a power cut or a kill: it may be a copy of the whole database.
 */
export async function removeOldWork(dataDir: string, before: number): Promise<void> {
  const prefixes = Object.values(WORK_IN_DATA);
  for (const name of await readdir(dataDir)) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const folder = join(dataDir, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Name prefixes of work folders in a data folder. */
export const WORK_FOLDER_PREFIXES = { backup: '.backup-', restore: '.restore-' } as const;

/**
 * Runs `work` in a new folder whose path begins with `prefix`. Removes the folder after success,
 * after failure, and when the process receives a signal to terminate.
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
 * Removes work folders that a power failure or a killed process left behind, if they were last
 * changed before a time (UTC milliseconds). They may contain a copy of the whole database.
 */
export async function removeOldWorkFolders(dataDir: string, before: number): Promise<void> {
  const prefixes = Object.values(WORK_FOLDER_PREFIXES);
  for (const name of await readdir(dataDir)) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const folder = join(dataDir, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../storage/open.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Name prefixes of work folders in a data folder. */
export const WORK_FOLDER_PREFIXES = { backup: '.backup-', restore: '.restore-' } as const;

/** The file in a work folder that is locked while it is in use. */
const LOCK = 'work-folder.lock';

/**
 * Runs `work` in a new folder whose path begins with `prefix`, with a dot before the name. Removes the folder
 * after success, after failure, and when the process receives a signal to terminate.
 */
export async function withWorkFolder<T>(
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(prefix);
  const unlock = lockFile(join(folder, LOCK));
  const stop = (signal: NodeJS.Signals) => {
    unlock?.();
    rmSync(folder, { recursive: true, force: true });
    for (const name of SIGNALS) process.off(name, stop);
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(folder);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
    unlock?.();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes work folders in a folder that a power failure or a killed process left behind. They may contain a
 * copy of the whole database.
 */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const { name } of await readdir(parent, { withFileTypes: true })) {
    const folder = join(parent, name);
    const lock = join(folder, LOCK);
    if (!name.startsWith('.') || !existsSync(lock)) continue;
    const unlock = lockFile(lock);
    if (unlock === undefined) continue;
    unlock();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes work folders of earlier versions, which did not lock them, if they were last changed before a time
 * (UTC milliseconds).
 */
export async function removeOldWorkFolders(dataDir: string, before: number): Promise<void> {
  const prefixes = Object.values(WORK_FOLDER_PREFIXES);
  for (const name of await readdir(dataDir)) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const folder = join(dataDir, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before && !existsSync(join(folder, LOCK))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

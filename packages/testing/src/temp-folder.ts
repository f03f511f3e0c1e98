import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
export const MEMORY = '/dev/shm';
/** Several times what the tests of a run keep at once. Bytes. */
const LEAST_FREE = 4 * 1024 ** 3;

/**
 * Keeps the temporary files of this process and its children in memory, if there is enough: SQLite waits for the disk
 * at each commit, which takes a fifth of the time of the server's tests. The files are deleted when the process exits.
 */
export function keepTempFilesInMemory(): void {
  if (tmpdir().startsWith(MEMORY) || !hasEnoughMemory()) return;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `parley-tests-${process.pid}-`));
  // Some tests start processes of other users, as with `/tmp`.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasEnoughMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > LEAST_FREE;
  } catch {
    return false;
  }
}

/** Removes the files of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^parley-tests-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

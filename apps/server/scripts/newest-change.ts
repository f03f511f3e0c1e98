import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the latest modification time of files and folders in milliseconds, or 0 if none exists.
 * Folders count as well, so that deletions are noticed.
 */
export function newestChange(paths: readonly string[]): number {
  return Math.max(0, ...paths.map(changeOf));
}

function changeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const children = readdirSync(path).map((name) => join(path, name));
  return Math.max(stats.mtimeMs, newestChange(children));
}

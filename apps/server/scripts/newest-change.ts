import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When something in these files and folders was last changed, in milliseconds; 0 if none exists.
 * A folder itself counts too, so that a deletion is seen.
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

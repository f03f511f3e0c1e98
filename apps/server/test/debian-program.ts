import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder for programs that were downloaded for the tests. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');

/**
 * Finds a program to run: an installed one, or that of Debian's package of the same name, which is unpacked without
 * installing it, so that no service starts. `path` is where the package has it, and `argument` prints its version. Returns
 * undefined if there is neither.
 */
export function findDebianProgram(
  name: string,
  path: string,
  argument: string,
): string | undefined {
  const folder = join(CACHE, `parley-${name}`);
  const unpacked = join(folder, path);
  const canRun = (file: string) => spawnSync(file, [argument]).status === 0;
  const found = [name, `/${path}`, unpacked].find(canRun);
  if (found !== undefined) return found;
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, timeout: 120_000 };
  if (spawnSync('apt-get', ['download', name], options).status !== 0) return undefined;
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb')) ?? '';
  spawnSync('dpkg', ['--extract', archive, '.'], options);
  return canRun(unpacked) ? unpacked : undefined;
}

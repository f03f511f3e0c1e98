import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The folder for programs that were downloaded for the tests. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');
/** Milliseconds after which a mirror does not respond. */
const DOWNLOAD_TIMEOUT = 60_000;

/**
 * Finds a program to run: an installed one, or that of Debian's package of the same name, which is unpacked without
 * installing it, so that no service starts. `path` is where the package has it, and `argument` prints its version. Returns
 * undefined if there is neither; that a download failed is remembered until the next installation of packages.
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
  if (!existsSync(folder)) unpackPackage(name, folder);
  return canRun(unpacked) ? unpacked : undefined;
}

/** Unpacks a package into a folder, which stays empty if it cannot be downloaded. Another process may do the same. */
function unpackPackage(name: string, folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  const options = { cwd: work, timeout: DOWNLOAD_TIMEOUT };
  if (spawnSync('apt-get', ['download', name], options).status === 0) {
    const archive = readdirSync(work).find((file) => file.endsWith('.deb')) ?? '';
    spawnSync('dpkg', ['--extract', archive, '.'], options);
  }
  try {
    renameSync(work, folder);
  } catch {
    // The other process was first.
    rmSync(work, { recursive: true });
  }
}

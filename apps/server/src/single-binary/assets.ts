import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';

/** Whether this process is the single binary. */
export function isSingleBinary(): boolean {
  return isSea();
}

/**
 * A file that the build made: from inside the single binary, or from `folder`; undefined if there is
 * none. In the binary it is a view of the executable in memory: it costs nothing until it is read,
 * and must never be written to.
 */
export function readBuiltFile(name: string, folder: string): Buffer | undefined {
  if (isSea()) {
    return getAssetKeys().includes(name) ? Buffer.from(getRawAsset(name)) : undefined;
  }
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file) : undefined;
}

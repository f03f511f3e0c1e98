import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';

/** Returns whether this process is the single binary. */
export function isSingleBinary(): boolean {
  return isSea();
}

/**
 * Reads a file of the build output, from inside the single binary or from `folder`. Returns undefined
 * if it does not exist. In the binary the buffer is a view of the executable in memory, so it must
 * never be written to.
 */
export function readBuiltFile(name: string, folder: string): Buffer | undefined {
  if (isSea()) {
    return getAssetKeys().includes(name) ? Buffer.from(getRawAsset(name)) : undefined;
  }
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file) : undefined;
}

import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { freeBytes } from './free-bytes.ts';

/** With less free space on the disk than this, in bytes, the server is not ready. */
export const FREE_MIN = 100 * 2 ** 20;

/** How long an answer of the disk is good for, in milliseconds. */
const FRESH = 1_000;

/** Keeps uploads, and then messages, from filling the disk: deleting has to go on working. */
export interface DiskSpace {
  /** @throws {AppError} `storage_full` below the floor that the operator set */
  assertRoomForUpload(): Promise<void>;
  /** @throws {AppError} `storage_full` below that floor and 100 MB */
  assertRoomForMessage(): Promise<void>;
}

/** Asks the disk of the data folder at most once a second; `free` returns its free bytes. */
export function createDiskSpace(
  { dataDir, freeSpaceMin }: Pick<Config, 'dataDir' | 'freeSpaceMin'>,
  free: (folder: string) => Promise<number> = freeBytes,
): DiskSpace {
  let latest: Promise<number> | undefined;
  let askedAt = -Infinity;

  async function assertFree(floor: number): Promise<void> {
    if (floor === 0) return;
    const now = performance.now();
    if (latest === undefined || now - askedAt >= FRESH) {
      askedAt = now;
      latest = free(dataDir);
    }
    if ((await latest) < floor) throw new AppError('storage_full');
  }

  return {
    assertRoomForUpload: () => assertFree(freeSpaceMin),
    assertRoomForMessage: () => assertFree(Math.min(freeSpaceMin, FREE_MIN)),
  };
}

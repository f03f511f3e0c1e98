import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { reuseFor } from '../scheduling/reuse-for.ts';
import { getFreeBytes } from './free-bytes.ts';

/** Free disk space in bytes below which messages are rejected and the server is not ready. */
export const FREE_MIN = 100 * 2 ** 20;

/** Milliseconds for which a measured value is used. */
const CACHE_DURATION = 1_000;

/**
 * Rejects uploads first and then messages before the disk is full, so that deleting keeps working.
 */
export interface DiskSpace {
  /** @throws {AppError} `storage_full` if less than the operator's minimum is free */
  assertSpaceForUpload(): Promise<void>;
  /**
   * @throws {AppError} `storage_full` if less than 100 MB, or a lower minimum of the operator, is
   * free
   */
  assertSpaceForMessage(): Promise<void>;
  /**
   * Exports leave as much again as uploads must, so that they never keep others from sending.
   * @param bytes what is about to be written
   * @throws {AppError} `storage_full`
   */
  assertSpaceForExport(bytes: number): Promise<void>;
  /** Returns whether as much is free as exports must leave. */
  hasSpaceForExports(): Promise<boolean>;
}

/**
 * Checks the disk of the data folder at most once per second. `measureFreeBytes` returns its free
 * bytes.
 */
export function createDiskSpace(
  { dataDir, freeSpaceMin }: Pick<Config, 'dataDir' | 'freeSpaceMin'>,
  measureFreeBytes: (folder: string) => Promise<number> = getFreeBytes,
): DiskSpace {
  const measure = reuseFor(CACHE_DURATION, () => measureFreeBytes(dataDir));

  async function assertFree(minimum: number): Promise<void> {
    if (minimum > 0 && (await measure()) < minimum) throw new AppError('storage_full');
  }

  async function hasSpaceForExport(bytes: number): Promise<boolean> {
    if (freeSpaceMin === 0) return true;
    // An export writes a lot within the time for which a measured value is used.
    return (await measureFreeBytes(dataDir)) - bytes >= 2 * freeSpaceMin;
  }

  return {
    assertSpaceForUpload: () => assertFree(freeSpaceMin),
    assertSpaceForMessage: () => assertFree(Math.min(freeSpaceMin, FREE_MIN)),
    async assertSpaceForExport(bytes) {
      if (!(await hasSpaceForExport(bytes))) throw new AppError('storage_full');
    },
    hasSpaceForExports: () => hasSpaceForExport(0),
  };
}

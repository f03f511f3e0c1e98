import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The file that a data folder has while a backup is restored into it. */
const MARKER = 'restore-unfinished.json';
const PART = `${MARKER}.part`;

/** Names of the files of this module in a data folder. */
export const MARKER_FILES: readonly string[] = [MARKER, PART];

/** What was empty when the restore began. */
export interface UnfinishedRestore {
  /** URL of the media store, if the media are restored to one. */
  readonly mediaStore?: string | undefined;
}

/** Thrown if a data folder contains part of a backup. The message is meant for the operator. */
export class UnfinishedRestoreError extends Error {
  override readonly name = 'UnfinishedRestoreError';

  constructor(dataDir: string) {
    super(
      `A restore into ${dataDir} was interrupted or is still running. If none is running, run 'parley restore' ` +
        'again; it starts over. To start with an empty server instead, set PARLEY_DATA to another folder.',
    );
  }
}

/** @throws {UnfinishedRestoreError} if a restore into the data folder has not finished. */
export function assertNoUnfinishedRestore(dataDir: string): void {
  if (existsSync(join(dataDir, MARKER))) throw new UnfinishedRestoreError(dataDir);
}

/**
 * Marks an empty data folder, until {@link endRestore}: a server that found only a part of a backup would
 * continue with it, or as a new server without users, at which anyone could register.
 */
export async function beginRestore(dataDir: string, restore: UnfinishedRestore): Promise<void> {
  const part = join(dataDir, PART);
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(restore));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(dataDir, MARKER));
  await syncFolder(dataDir);
}

/** Returns the restore into a data folder that has not finished, if any. */
export function findUnfinishedRestore(dataDir: string): UnfinishedRestore | undefined {
  const file = join(dataDir, MARKER);
  if (!existsSync(file)) return undefined;
  const { mediaStore } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return typeof mediaStore === 'string' ? { mediaStore } : {};
}

/** Removes the mark of a data folder. */
export async function endRestore(dataDir: string): Promise<void> {
  for (const name of MARKER_FILES) await rm(join(dataDir, name), { force: true });
  await syncFolder(dataDir);
}

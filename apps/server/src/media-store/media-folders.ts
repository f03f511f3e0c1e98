import type { FastifyBaseLogger } from 'fastify';
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

type Settings = Pick<Config, 'dataDir'>;

/** Returns the folder of media in the data folder. */
export function mediaFolder({ dataDir }: Settings): string {
  return join(dataDir, 'media');
}

/**
 * Returns the folder of uploads in progress. It is on the same disk as the media folder, so that
 * finishing one is a rename. The sweep removes every file in it that is older than an hour.
 */
export function incomingFolder(config: Settings): string {
  return join(mediaFolder(config), 'incoming');
}

/** Creates the folders if they do not exist. */
export async function createMediaFolders(config: Settings): Promise<void> {
  await mkdir(incomingFolder(config), { recursive: true, mode: 0o700 });
}

/** Deletes a file if it exists. Returns false if that fails and the sweep has to try again. */
export async function removeFile(path: string, log: FastifyBaseLogger): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    log.warn({ err: error }, 'could not delete a file, leaving it to the sweep');
    return false;
  }
}

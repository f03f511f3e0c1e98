import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { isMediaFile } from './media-url.ts';

type Settings = Pick<Config, 'dataDir'>;

/** Returns the folder of the files that have a row in `media`. */
export function mediaFolder({ dataDir }: Settings): string {
  return join(dataDir, 'media');
}

/**
 * Returns the folder of uploads in progress. It is on the same disk, so that finishing one is a rename.
 */
export function incomingFolder(config: Settings): string {
  return join(mediaFolder(config), 'incoming');
}

/**
 * Returns the absolute path of an upload's file.
 * @throws {TypeError} if `file` is not a valid file name of an upload.
 */
export function mediaPath(config: Settings, file: string): string {
  if (!isMediaFile(file)) throw new TypeError('not the name of an upload');
  return join(mediaFolder(config), file);
}

/** Creates the folders if they do not exist. */
export async function createMediaFolders(config: Settings): Promise<void> {
  await mkdir(incomingFolder(config), { recursive: true, mode: 0o700 });
}

/**
 * Deletes the files of uploads whose rows were deleted. Call it after the commit, with the values of
 * `media.file`. Never throws: the sweep removes what cannot be deleted now.
 */
export async function removeFiles(
  { config, log }: Pick<Context, 'config' | 'log'>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) await removeFile(mediaPath(config, file), log);
}

/** Deletes a file if it exists. Returns false if that fails and the sweep has to try again. */
export async function removeFile(path: string, log: Context['log']): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    log.warn({ err: error }, 'could not delete a file, leaving it to the sweep');
    return false;
  }
}

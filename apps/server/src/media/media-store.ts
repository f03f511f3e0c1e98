import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { isMediaFile } from './media-url.ts';

type Settings = Pick<Config, 'dataDir'>;

/** Folder of the files that have a row in `media`. */
export function mediaFolder({ dataDir }: Settings): string {
  return join(dataDir, 'media');
}

/** Folder of uploads that are under way; on the same disk, so that finishing one is a rename. */
export function incomingFolder(config: Settings): string {
  return join(mediaFolder(config), 'incoming');
}

/**
 * Absolute path of an upload's file.
 * @throws {TypeError} if that is no name of an upload's file.
 */
export function mediaPath(config: Settings, file: string): string {
  if (!isMediaFile(file)) throw new TypeError('not the name of an upload');
  return join(mediaFolder(config), file);
}

/** Makes the folders where they do not exist. */
export async function makeMediaFolders(config: Settings): Promise<void> {
  await mkdir(incomingFolder(config), { recursive: true, mode: 0o700 });
}

/**
 * Deletes the files of uploads whose rows are gone: call it after the commit, with what `media.file`
 * held. Never fails: what cannot be deleted now is swept later.
 */
export async function removeFiles(
  { config, log }: Pick<Context, 'config' | 'log'>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) await removeFile(mediaPath(config, file), log);
}

/**
 * Deletes one file if it exists. Returns false if that fails: what cannot be deleted now is tried
 * again later.
 */
export async function removeFile(path: string, log: Context['log']): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    log.warn({ err: error }, 'a file could not be deleted and is left to the sweep');
    return false;
  }
}

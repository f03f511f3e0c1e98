import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { AFTER_ALL_IDS, idFloor } from '../storage/ids.ts';
import {
  deleteUnusedUploads,
  findKnownFiles,
  findKnownIds,
  listUploads,
} from './media.repository.ts';
import { mediaIdOf } from '../media-store/media-file-name.ts';
import { incomingFolder, removeFile } from '../media-store/media-folders.ts';
import { sweepFolder } from '../media-store/sweep-folder.ts';

/** Age in milliseconds after which an upload without a message is removed. */
export const UNUSED_MAX_AGE = 24 * 60 * 60 * 1000;

/** Maximum duration of an upload in milliseconds. Younger files may belong to one in progress. */
const IN_PROGRESS_MAX = 60 * 60 * 1000;

/** Number of rows per batch. */
const BATCH_SIZE = 500;

/** Removes leftovers of complete uploads. */
export interface Sweeper {
  /**
   * Goes through all uploads and files once, in small batches. Stops early when `signal` is aborted. Uploads that
   * lie in the future are removed from the second call on.
   */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Creates the sweeper of a data folder. A data folder must have only one. */
export function createSweeper(ctx: Context): Sweeper {
  // An upload in use stays in use until it is deleted with its message, so no upload is checked
  // again.
  let sweptTo = '';
  /** Right after the start of a machine, its clock may be behind, so that recent uploads lie in the future. */
  let isClockBelieved = false;

  return {
    async sweep(signal) {
      const limit = idFloor(Date.now() - UNUSED_MAX_AGE);
      // The clock was put back.
      if (limit < sweptTo) sweptTo = '';
      sweptTo = await sweepUnused(ctx, sweptTo, limit, signal);
      if (isClockBelieved) {
        // Those from before the clock was put back by more than the allowed age.
        await sweepUnused(ctx, idFloor(Date.now() + UNUSED_MAX_AGE), AFTER_ALL_IDS, signal);
      }
      isClockBelieved = true;
      await ctx.media.sweep(IN_PROGRESS_MAX, (files) => findUnneeded(ctx, files), signal);
    },
  };
}

/**
 * Removes incomplete uploads that are not in progress, and copies of files that were deleted by
 * other servers. Stops early when `signal` is aborted.
 */
export async function sweepLocalFiles(ctx: Context, signal: AbortSignal): Promise<void> {
  const folder = incomingFolder(ctx.config);
  const remove = (name: string) => removeFile(join(folder, name), ctx.log);
  await sweepFolder(folder, IN_PROGRESS_MAX, signal, async (names) => names, remove);
  await ctx.media.sweepCopies((files) => findOrphans(ctx, files), signal);
}

/** Removes unused uploads between two ids (exclusive). Returns the last id that was checked. */
async function sweepUnused(
  ctx: Context,
  afterId: string,
  beforeId: string,
  signal: AbortSignal,
): Promise<string> {
  let reached = afterId;
  while (!signal.aborted) {
    const uploads = await ctx.storage.read((db) => listUploads(db, reached, beforeId, BATCH_SIZE));
    const last = uploads.at(-1);
    if (last === undefined) break;
    const unused = uploads.filter((upload) => upload.used === 0).map((upload) => upload.id);
    if (unused.length > 0) {
      const files = await ctx.storage.write(({ trx }) => deleteUnusedUploads(trx, unused));
      for (const file of files) await ctx.media.remove(file);
    }
    reached = last.id;
    await nextTurn();
  }
  return reached;
}

/** Returns those of the given files that have no row. */
async function findOrphans(ctx: Context, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const known = await ctx.storage.read((db) => findKnownFiles(db, files));
  return files.filter((file) => !known.has(file));
}

/**
 * Returns those of the given files that have no row. While the operator can go back to a database from before an
 * upgrade, the former file of an upload that the upgrade has converted is needed, too.
 */
async function findUnneeded(ctx: Context, files: readonly string[]): Promise<string[]> {
  const orphans = await findOrphans(ctx, files);
  if (orphans.length === 0 || !ctx.maintenance.hasSnapshots()) return orphans;
  const uploads = await ctx.storage.read((db) => findKnownIds(db, orphans.map(mediaIdOf)));
  return orphans.filter((file) => !uploads.has(mediaIdOf(file)));
}

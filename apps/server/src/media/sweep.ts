import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { idFloor } from '../storage/ids.ts';
import { incomingFolder, mediaFolder, removeFile, removeFiles } from './media-store.ts';
import { isMediaFile } from './media-url.ts';
import { deleteUnusedUploads, findKnownFiles, listUploads } from './media.repository.ts';

/** Age in milliseconds after which an upload without a message is removed. */
export const UNUSED_MAX_AGE = 24 * 60 * 60 * 1000;

/** Maximum duration of an upload in milliseconds. Younger files may belong to one in progress. */
const IN_PROGRESS_MAX = 60 * 60 * 1000;

/** Number of rows or files per batch. */
const BATCH_SIZE = 500;

/** Removes leftovers of uploads. */
export interface Sweeper {
  /**
   * Goes through all uploads and files once, in small batches. Stops early when `signal` is aborted.
   */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Creates the sweeper of a data folder. A data folder must have only one. */
export function createSweeper(ctx: Context): Sweeper {
  // An upload in use stays in use until it is deleted with its message, so no upload is checked
  // again.
  let sweptTo = '';

  return {
    async sweep(signal) {
      const limit = idFloor(Date.now() - UNUSED_MAX_AGE);
      sweptTo = await sweepUnused(ctx, sweptTo, limit, signal);
      const cutoff = Date.now() - IN_PROGRESS_MAX;
      await sweepFolder(ctx, incomingFolder(ctx.config), cutoff, signal, async (names) => names);
      await sweepFolder(ctx, mediaFolder(ctx.config), cutoff, signal, async (names) => {
        const files = names.filter(isMediaFile);
        const known = await ctx.storage.read((db) => findKnownFiles(db, files));
        return files.filter((file) => !known.has(file));
      });
    },
  };
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
      await removeFiles(ctx, files);
    }
    reached = last.id;
    await nextTurn();
  }
  return reached;
}

/** Removes the files that `choose` returns from a folder if they were modified before `cutoff`. */
async function sweepFolder(
  ctx: Context,
  folder: string,
  cutoff: number,
  signal: AbortSignal,
  choose: (names: string[]) => Promise<string[]>,
): Promise<void> {
  let names: string[] = [];
  const removeChosen = async () => {
    for (const name of await choose(names)) {
      const path = join(folder, name);
      const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: cutoff };
      if (mtimeMs < cutoff) await removeFile(path, ctx.log);
    }
    names = [];
    await nextTurn();
  };
  for await (const entry of await opendir(folder)) {
    if (signal.aborted) return;
    if (entry.isFile()) names.push(entry.name);
    if (names.length >= BATCH_SIZE) await removeChosen();
  }
  if (names.length > 0) await removeChosen();
}

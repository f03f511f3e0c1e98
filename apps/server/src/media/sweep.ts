import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { idFloor } from '../storage/ids.ts';
import { incomingFolder, mediaFolder, removeFile, removeFiles } from './media-store.ts';
import { isMediaFile } from './media-url.ts';
import { deleteUnusedUploads, findKnownFiles, listUploads } from './media.repository.ts';

/** An upload that no message uses is removed after this time, in milliseconds. */
export const UNUSED_MAX_AGE = 24 * 60 * 60 * 1000;

/** Longer than any upload takes, in milliseconds: a younger file may be one that is under way. */
const UNDER_WAY_MAX = 60 * 60 * 1000;

/** Rows or files that are looked at in one go. */
const SLICE = 500;

/** Removes what uploads have left behind. */
export interface Sweeper {
  /** Looks through everything once, in small slices. Stops early when `signal` is aborted. */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Makes the one sweeper of a data folder. */
export function createSweeper(ctx: Context): Sweeper {
  // What was found in use stays so, or goes with its message: no need to look at it again.
  let sweptTo = '';

  return {
    async sweep(signal) {
      const limit = idFloor(Date.now() - UNUSED_MAX_AGE);
      sweptTo = await sweepUnused(ctx, sweptTo, limit, signal);
      const young = Date.now() - UNDER_WAY_MAX;
      await sweepFolder(ctx, incomingFolder(ctx.config), young, signal, async (names) => names);
      await sweepFolder(ctx, mediaFolder(ctx.config), young, signal, async (names) => {
        const files = names.filter(isMediaFile);
        const known = await ctx.storage.read((db) => findKnownFiles(db, files));
        return files.filter((file) => !known.has(file));
      });
    },
  };
}

/** Removes unused uploads between two ids. Returns the id up to which it came. */
async function sweepUnused(
  ctx: Context,
  afterId: string,
  beforeId: string,
  signal: AbortSignal,
): Promise<string> {
  let reached = afterId;
  while (!signal.aborted) {
    const uploads = await ctx.storage.read((db) => listUploads(db, reached, beforeId, SLICE));
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

/** Removes those files of a folder that `choose` picks, unless they are young. */
async function sweepFolder(
  ctx: Context,
  folder: string,
  young: number,
  signal: AbortSignal,
  choose: (names: string[]) => Promise<string[]>,
): Promise<void> {
  let names: string[] = [];
  const removeChosen = async () => {
    for (const name of await choose(names)) {
      const path = join(folder, name);
      const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: young };
      if (mtimeMs < young) await removeFile(path, ctx.log);
    }
    names = [];
    await nextTurn();
  };
  for await (const entry of await opendir(folder)) {
    if (signal.aborted) return;
    if (entry.isFile()) names.push(entry.name);
    if (names.length >= SLICE) await removeChosen();
  }
  if (names.length > 0) await removeChosen();
}

import { join } from 'node:path';
import type { Context } from '../context.ts';
import { IMAGE_RULES } from '../inspection/inspect.ts';
import { SERVER_OWNER } from '../inspection/inspector.ts';
import { inspectStoredImage } from '../media/inspect-stored-image.ts';
import { incomingFolder, removeFile } from '../media-store/media-folders.ts';
import { announceChange, keepClearedSize } from '../messages/message-change.service.ts';
import { AFTER_ALL_IDS, idFloor } from '../storage/ids.ts';
import {
  findMessageUsing,
  listOutdatedImages,
  updateFindings,
  type Findings,
  type StoredImage,
} from './reinspection.repository.ts';

/** Number of rows that are read at once. */
const BATCH_SIZE = 50;

/**
 * Milliseconds that a run goes back behind the start of the one before: longer than an upload takes, whose
 * id is created at its start, and than the clocks of servers differ.
 */
const OVERLAP = 2 * 60 * 60 * 1000;

/** Inspects images that were stored under older rules. */
export interface Reinspector {
  /**
   * Inspects every such image, one at a time, newest first. Data that the current rules remove is removed
   * from its file. An image that they reject is blocked: its file stays but is no longer served. Results
   * are stored one by one, so an interrupted run continues where it stopped. Later runs read only images
   * that may have been added since the one before, by a server that still has older rules. Stops early when
   * `signal` is aborted.
   */
  inspect(signal: AbortSignal): Promise<void>;
}

/** Creates the reinspector of a database. */
export function createReinspector(ctx: Context): Reinspector {
  let inspectedTo = '';

  return {
    async inspect(signal) {
      const next = idFloor(Date.now() - OVERLAP);
      // The clock was put back.
      if (next < inspectedTo) inspectedTo = '';
      let position = AFTER_ALL_IDS;
      while (!signal.aborted) {
        const range = { afterId: inspectedTo, beforeId: position };
        const images = await ctx.storage.read((db) =>
          listOutdatedImages(db, IMAGE_RULES, range, BATCH_SIZE),
        );
        const last = images.at(-1);
        if (last === undefined) {
          inspectedTo = next;
          return;
        }
        for (const image of images) {
          if (signal.aborted) return;
          await inspectImage(ctx, image).catch((error: unknown) => {
            ctx.log.warn({ err: error, media: image.id }, 'could not inspect a stored image');
          });
        }
        position = last.id;
      }
    },
  };
}

async function inspectImage(ctx: Context, image: StoredImage): Promise<void> {
  const { isReplaced, ...findings } = await inspectFile(ctx, image);
  const { file } = findings;
  const hasNewFile = file !== undefined && file !== image.file;
  const isChanged = (['is_blocked', 'width', 'height', 'file'] as const).some(
    (key) => findings[key] !== undefined && findings[key] !== image[key],
  );
  const isStored = await ctx.storage.write(async (write) => {
    const changes = { ...findings, inspected_rules: IMAGE_RULES };
    if (findings.size !== undefined) {
      await keepClearedSize(write.trx, { mediaId: image.id, nextSize: findings.size });
    }
    if (!(await updateFindings(write.trx, image.id, changes))) return false;
    // Copies of other servers may have the same size.
    if (isReplaced && !hasNewFile) write.emit({ type: 'media-replaced', file: image.file });
    if (!isChanged) return true;
    const messageId = await findMessageUsing(write.trx, image.id);
    if (messageId !== undefined) {
      await announceChange(write, messageId, image.owner_id);
    }
    return true;
  });
  // The sweep removes the old file, which a backup in progress may still need.
  if (hasNewFile && !isStored) await ctx.media.remove(file);
}

/**
 * Inspects the file of an image. If it needs changes, it is replaced with a clean one, or a converted one
 * is added.
 */
async function inspectFile(
  ctx: Context,
  image: StoredImage,
): Promise<Findings & { isReplaced: boolean }> {
  const { id, file, mime } = image;
  const target = join(incomingFolder(ctx.config), `${id}.clean`);
  try {
    const output = { target, skipsUnchanged: true };
    const found = await inspectStoredImage(ctx, SERVER_OWNER, image, output);
    if (found === undefined) return { is_blocked: 1, isReplaced: false };
    const { type, size, width = null, height = null } = found;
    const next = type.mime === mime ? file : `${id}.${type.extension}`;
    const isReplaced = !found.isUnchanged;
    // A response in progress continues with the old file.
    if (isReplaced) await ctx.media.add(next, target);
    return { is_blocked: 0, size, width, height, file: next, mime: type.mime, isReplaced };
  } finally {
    await removeFile(target, ctx.log);
  }
}

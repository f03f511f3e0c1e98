import { join } from 'node:path';
import type { Context } from '../context.ts';
import { createByteSource, TooComplexMediaError } from '../media/formats/byte-source.ts';
import { inspectStored, IMAGE_RULES } from '../media/inspect.ts';
import { incomingFolder, removeFile } from '../media-store/media-folders.ts';
import { writePieces } from '../media/write-pieces.ts';
import { announceChange } from '../messages/message-change.service.ts';
import {
  findMessageUsing,
  listOutdatedImages,
  updateFindings,
  type Findings,
  type StoredImage,
} from './reinspection.repository.ts';

/** Number of rows that are read at once. */
const BATCH_SIZE = 50;

/** A string that sorts after every id. */
const AFTER_ALL_IDS = '~';

/**
 * Inspects every image that was stored under older rules, one at a time, newest first. Data that
 * the current rules remove is removed from its file. An image that they reject is blocked: its file
 * stays but is no longer served. Results are stored one by one, so an interrupted run continues
 * where it stopped.
 */
export async function inspectOutdatedImages(ctx: Context, signal: AbortSignal): Promise<void> {
  let position = AFTER_ALL_IDS;
  while (!signal.aborted) {
    const images = await ctx.storage.read((db) =>
      listOutdatedImages(db, IMAGE_RULES, position, BATCH_SIZE),
    );
    const last = images.at(-1);
    if (last === undefined) return;
    for (const image of images) {
      if (signal.aborted) return;
      await inspectImage(ctx, image).catch((error: unknown) => {
        ctx.log.warn({ err: error, media: image.id }, 'could not inspect a stored image');
      });
    }
    position = last.id;
  }
}

async function inspectImage(ctx: Context, image: StoredImage): Promise<void> {
  const { isReplaced, ...findings } = await inspectFile(ctx, image);
  const isChanged = (['is_blocked', 'width', 'height'] as const).some(
    (key) => findings[key] !== undefined && findings[key] !== image[key],
  );
  await ctx.storage.write(async (write) => {
    await updateFindings(write.trx, image.id, { ...findings, inspected_rules: IMAGE_RULES });
    // Copies of other servers may have the same size.
    if (isReplaced) write.emit({ type: 'media-replaced', file: image.file });
    if (!isChanged) return;
    const messageId = await findMessageUsing(write.trx, image.id);
    if (messageId !== undefined) {
      await announceChange(ctx.config, write, messageId, image.owner_id);
    }
  });
}

/** Inspects the file of an image and replaces it with a clean one if needed. */
async function inspectFile(
  ctx: Context,
  { id, file, mime }: StoredImage,
): Promise<Findings & { isReplaced: boolean }> {
  const clean = join(incomingFolder(ctx.config), `${id}.clean`);
  const handle = await ctx.media.open(file);
  if (handle === undefined) throw new Error('the file is missing');
  try {
    const source = await createByteSource(handle);
    const found = await inspectStored(source).catch((error: unknown) => {
      if (error instanceof TooComplexMediaError) return undefined;
      throw error;
    });
    if (found?.type.mime !== mime) return { is_blocked: 1, isReplaced: false };
    const isReplaced = !found.pieces.isWhole(source.size);
    if (isReplaced) {
      await writePieces(handle, found.pieces, clean);
      // A response in progress continues with the old file.
      await ctx.media.add(file, clean);
    }
    const { width = null, height = null } = found;
    return { is_blocked: 0, size: found.pieces.length, width, height, isReplaced };
  } finally {
    await handle.close();
    await removeFile(clean, ctx.log);
  }
}

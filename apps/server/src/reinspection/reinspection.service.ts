import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { createByteSource, TooComplexMedia } from '../media/formats/byte-source.ts';
import { inspectStored, IMAGE_RULES } from '../media/inspect.ts';
import { incomingFolder, mediaFolder, mediaPath, removeFile } from '../media/media-store.ts';
import { writePieces } from '../media/write-pieces.ts';
import { announceChange } from '../messages/message-change.service.ts';
import {
  findMessageShowing,
  listOutdatedPictures,
  updateFindings,
  type Findings,
  type StoredPicture,
} from './reinspection.repository.ts';

/** Rows that are read at once. */
const SLICE = 50;

/** Behind every id. */
const NO_ID = '~';

/**
 * Inspects every picture that was stored under older rules, the newest first, one after the other.
 * What the rules take out today is taken out of its file; what they refuse is blocked: its file stays
 * and is not sent. Each result is recorded, so an interrupted run goes on where it was.
 */
export async function inspectOutdatedPictures(ctx: Context, signal: AbortSignal): Promise<void> {
  let reached = NO_ID;
  while (!signal.aborted) {
    const pictures = await ctx.storage.read((db) =>
      listOutdatedPictures(db, IMAGE_RULES, reached, SLICE),
    );
    const last = pictures.at(-1);
    if (last === undefined) return;
    for (const picture of pictures) {
      if (signal.aborted) return;
      await inspectPicture(ctx, picture).catch((error: unknown) => {
        ctx.log.warn({ err: error, media: picture.id }, 'a stored picture could not be inspected');
      });
    }
    reached = last.id;
  }
}

async function inspectPicture(ctx: Context, picture: StoredPicture): Promise<void> {
  const findings = await inspectFile(ctx, picture);
  const isChanged = (['is_blocked', 'width', 'height'] as const).some(
    (key) => findings[key] !== undefined && findings[key] !== picture[key],
  );
  await ctx.storage.write(async (write) => {
    await updateFindings(write.trx, picture.id, { ...findings, inspected_rules: IMAGE_RULES });
    if (!isChanged) return;
    const messageId = await findMessageShowing(write.trx, picture.id);
    if (messageId !== undefined) {
      await announceChange(ctx.config, write, messageId, picture.owner_id);
    }
  });
}

/** Inspects a picture's file and cleans it. */
async function inspectFile(ctx: Context, { id, file, mime }: StoredPicture): Promise<Findings> {
  const path = mediaPath(ctx.config, file);
  const clean = join(incomingFolder(ctx.config), `${id}.clean`);
  const handle = await open(path, 'r');
  try {
    const source = await createByteSource(handle);
    const found = await inspectStored(source).catch((error: unknown) => {
      if (error instanceof TooComplexMedia) return undefined;
      throw error;
    });
    if (found?.type.mime !== mime) return { is_blocked: 1 };
    if (!found.pieces.isWhole(source.size)) {
      await writePieces(handle, found.pieces, clean);
      // A response that is under way goes on with the file as it was.
      await rename(clean, path);
      await syncFolder(mediaFolder(ctx.config));
    }
    const { width = null, height = null } = found;
    return { is_blocked: 0, size: found.pieces.length, width, height };
  } finally {
    await handle.close();
    await removeFile(clean, ctx.log);
  }
}

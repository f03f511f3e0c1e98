import { join } from 'node:path';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { incomingFolder, removeFile } from '../media-store/media-folders.ts';
import { newId } from '../storage/ids.ts';
import type { Reader } from '../storage/storage.ts';
import { IMAGE_RULES } from '../inspection/inspect.ts';
import { inspectStoredImage } from './inspect-stored-image.ts';
import { findVisibleMessage, type CopyableMedia } from './media.repository.ts';
import { saveUpload, type Uploader } from './upload.service.ts';

/** An image or recording to copy, with the message that shows it. */
export interface Original extends CopyableMedia {
  readonly messageId: string;
}

/**
 * Finds the image or recording of a message that the user sees.
 * @throws {AppError} `message_not_found` also if the user does not see the message,
 * `media_not_found` for a text, or `media_blocked`
 */
export function findOriginal(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
  messageId: string,
): Promise<Original> {
  return storage.read((db) => readOriginal(db, userId, messageId));
}

async function readOriginal(db: Reader, userId: string, messageId: string): Promise<Original> {
  const row = await findVisibleMessage(db, messageId, userId);
  if (row === undefined) throw new AppError('message_not_found');
  if (!hasMedia(row)) throw new AppError('media_not_found');
  if (row.is_blocked === 1) throw new AppError('media_blocked');
  return { ...row, messageId };
}

function hasMedia(row: {
  [Key in keyof CopyableMedia]: CopyableMedia[Key] | null;
}): row is CopyableMedia {
  return row.file !== null;
}

/**
 * Copies an image or recording to a new upload of the user, which is unsent, and returns the name of its file. If
 * it fails, it leaves no file behind, except for the sweep if a failure of the database hides whether
 * the row was committed.
 * @throws {AppError} `message_not_found` if the message was deleted in the meantime,
 * `media_not_found` if the file is missing, `media_blocked`, `quota_media`, `storage_full`,
 * `unauthenticated` if the account was deleted during the copy
 */
export async function copyUpload(
  ctx: Context,
  { userId, network }: Uploader,
  { messageId, ...original }: Original,
): Promise<string> {
  const id = newId();
  const row = { ...original, id, owner_id: userId, created_at: Date.now() };
  const assertVisible = async (db: Reader) => {
    await readOriginal(db, userId, messageId);
  };
  if (original.kind === 'image' && original.inspected_rules < IMAGE_RULES) {
    const clean = join(incomingFolder(ctx.config), `${id}.clean`);
    try {
      const owner = [network, userId];
      const found = await inspectStoredImage(ctx, owner, original, { target: clean });
      if (found === undefined) throw new AppError('media_blocked');
      const { type, size, width = null, height = null } = found;
      const file = `${id}.${type.extension}`;
      const cleaned = { mime: type.mime, file, size, width, height, inspected_rules: IMAGE_RULES };
      const putFile = () => ctx.media.add(file, clean);
      await saveUpload(ctx, { ...row, ...cleaned }, putFile, assertVisible);
      return file;
    } finally {
      await removeFile(clean, ctx.log);
    }
  }
  const file = id + original.file.slice(original.file.lastIndexOf('.'));
  const putFile = () => copyFile(ctx, original.file, file);
  await saveUpload(ctx, { ...row, file }, putFile, assertVisible);
  return file;
}

async function copyFile({ media }: Context, file: string, copy: string): Promise<void> {
  if (!(await media.copy(file, copy))) throw new AppError('media_not_found');
}

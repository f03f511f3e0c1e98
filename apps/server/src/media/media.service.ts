import type { Context } from '../context.ts';
import { mediaIdOf } from '../media-store/media-file-name.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import * as repository from './media.repository.ts';

/**
 * Finds an upload that the user owns or that a message in one of the user's chatrooms uses. It may have
 * another file by now: the reinspection converts images, whose clients know the former name for a while.
 */
export function findReadableMedia(
  { storage }: Pick<Context, 'storage'>,
  file: string,
  userId: string,
): Promise<repository.ReadableMedia | undefined> {
  return storage.read((db) => repository.findReadable(db, { id: mediaIdOf(file), userId }));
}

/** Lists the files of all uploads. */
export function listMediaFiles(db: Reader): Promise<string[]> {
  return repository.listFiles(db);
}

/** Returns whether an upload has this file. */
export function hasUpload(db: Reader, file: string): Promise<boolean> {
  return repository.hasUploadWithFile(db, file);
}

/** Deletes the row of the upload with this file. */
export function deleteUpload(trx: Writer, file: string): Promise<void> {
  return repository.deleteUploadByFile(trx, file);
}

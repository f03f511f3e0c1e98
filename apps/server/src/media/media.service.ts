import type { Context } from '../context.ts';
import { mediaIdOf } from '../media-store/media-file-name.ts';
import { findReadable, type ReadableMedia } from './media.repository.ts';

export { deleteUpload, hasUpload, listMediaFiles } from './media.repository.ts';

/**
 * Finds an upload that the user owns or that a message in one of the user's chatrooms uses. It may have
 * another file by now: the reinspection converts images, whose clients know the former name for a while.
 */
export function findReadableMedia(
  { storage }: Pick<Context, 'storage'>,
  file: string,
  userId: string,
): Promise<ReadableMedia | undefined> {
  return storage.read((db) => findReadable(db, { id: mediaIdOf(file), userId }));
}

import { deleteUpload, hasUpload } from '../media/media.service.ts';
import { softDelete } from '../messages/message-change.service.ts';
import type { Storage } from '../storage/storage.ts';
import { findMessageOfFile } from './backup.repository.ts';

/**
 * Deletes uploads, and the messages that use them, from a snapshot if their files were deleted after it
 * was created.
 * @throws if the live database still has one of the uploads, because its file is then missing.
 */
export async function discardUploads(
  live: Pick<Storage, 'read'>,
  snapshot: Pick<Storage, 'write'>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) {
    if (await live.read((db) => hasUpload(db, file))) {
      throw Object.assign(new Error(`the file of an upload is missing: media/${file}`), {
        code: 'MEDIA_MISSING',
        path: `media/${file}`,
      });
    }
    await snapshot.write(async ({ trx }) => {
      const message = await findMessageOfFile(trx, file);
      if (message !== undefined) await softDelete(trx, message, Date.now());
      await deleteUpload(trx, file);
    });
  }
}

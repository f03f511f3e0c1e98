import { describeFileCount } from '../files/file-count.ts';
import { findDatabaseOwner } from '../media-store/store-owner.ts';
import { MediaStoreError } from '../media-store/media-store-error.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import { listMediaFiles } from '../media/media.service.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const media = createFindings('media');

/** Checks that the media store belongs to the database and has the file of every upload. */
export async function checkMedia(
  storage: Pick<Storage, 'read'>,
  databaseId: string | undefined,
  store: MediaStore,
): Promise<Finding> {
  const files = await storage.read(listMediaFiles);
  const found = new Set<string>();
  try {
    const owner = await store.findOwner();
    const own = await findDatabaseOwner(storage, databaseId);
    if (owner !== undefined && owner.installation !== own?.installation) {
      return media.failed(
        'The media store belongs to another database.',
        'Set PARLEY_MEDIA_STORE to another bucket or folder.',
      );
    }
    if (owner !== undefined && owner.database !== own?.database) {
      return media.warning(
        'The media store belongs to another copy of this database, so servers delete no files.',
        "If this database replaces the other one, run 'parley media adopt'.",
      );
    }
    for await (const page of store.list()) for (const file of page) found.add(file);
  } catch (error) {
    if (error instanceof MediaStoreError) return media.skipped('Needs the media store.');
    throw error;
  }
  const missing = files.filter((file) => !found.has(file));
  if (missing.length === 0) return media.ok(describeFileCount(files.length));
  return media.failed(
    `${missing.length} of ${describeFileCount(files.length)} ${missing.length === 1 ? 'is' : 'are'} missing, such as media/${missing[0]}.`,
    missing.length === files.length
      ? "If PARLEY_DATA or PARLEY_MEDIA_STORE changed, set it back and move the files with 'parley backup' and 'parley restore'; otherwise restore a backup."
      : 'Restore them from a backup. Until then, their messages show nothing.',
  );
}

import { MediaStoreError } from '../media-store/media-store-error.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import { listMediaFiles } from '../media/media.service.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const media = createFindings('media');

/** Checks that the media store has the file of every upload. */
export async function checkMedia(
  storage: Pick<Storage, 'read'>,
  store: MediaStore,
): Promise<Finding> {
  const files = await storage.read(listMediaFiles);
  const found = new Set<string>();
  try {
    for await (const page of store.list()) for (const file of page) found.add(file);
  } catch (error) {
    if (error instanceof MediaStoreError) return media.skipped('Needs the media store.');
    throw error;
  }
  const missing = files.filter((file) => !found.has(file));
  if (missing.length === 0) return media.ok(`${files.length} files`);
  return media.failed(
    `${missing.length} of ${files.length} files are missing, such as media/${missing[0]}.`,
    'Restore them from a backup. Until then, their messages show nothing.',
  );
}

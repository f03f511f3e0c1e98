import { isPending, type OutboxEntry } from './outbox-entry.ts';
import type { OutboxState } from './outbox-store.ts';

/**
 * Returns whether an entry waits until all images of its album are uploaded, so that nothing else is sent
 * between them.
 */
export function isHeldByAlbum(
  { albumId, file }: OutboxEntry,
  entries: readonly OutboxEntry[],
): boolean {
  return albumId !== undefined && !file && hasPendingFiles(entries, albumId);
}

/**
 * Moves an album to the end of the outbox once all of its images are uploaded: the images in order, then
 * the caption.
 */
export function alignAlbum({ entries, requeue }: OutboxState, albumId: string): void {
  if (hasPendingFiles(entries, albumId)) return;
  const uploaded = entries.filter((entry) => entry.albumId === albumId && !entry.file);
  const captions = uploaded.filter(isCaption);
  for (const { clientId } of [...uploaded.filter((entry) => !isCaption(entry)), ...captions]) {
    requeue(clientId, {});
  }
}

/** Removes the unsent caption of an album from the outbox and returns it. */
export function takeCaption({ entries, remove }: OutboxState, albumId: string): string | undefined {
  const caption = entries.find((entry) => entry.albumId === albumId && isCaption(entry));
  if (!caption || caption.state === 'sending') return undefined;
  remove([caption.clientId]);
  return caption.content;
}

/** Returns whether an album has no images that are not sent. */
export function isAlbumEmpty(entries: readonly OutboxEntry[], albumId: string): boolean {
  return !entries.some((entry) => entry.albumId === albumId && !isCaption(entry));
}

function hasPendingFiles(entries: readonly OutboxEntry[], albumId: string): boolean {
  return entries.some((entry) => entry.albumId === albumId && entry.file && isPending(entry));
}

function isCaption({ file, uploadedFile, source }: OutboxEntry): boolean {
  return (file ?? uploadedFile ?? source) === undefined;
}

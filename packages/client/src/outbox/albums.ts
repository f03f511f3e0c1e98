import type { Message } from '@parley/contract';
import { isPending, type OutboxEntry } from './outbox-entry.ts';
import type { OutboxContext } from './outbox-context.ts';
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
  const inOrder = uploaded.toSorted((a, b) => Number(isCaption(a)) - Number(isCaption(b)));
  for (const { clientId } of inOrder) requeue(clientId, {});
}

/** Moves the unsent caption of an album to the draft, so that the user decides what to do with it. */
export function returnCaption(
  { outbox, drafts }: Pick<OutboxContext['stores'], 'outbox' | 'drafts'>,
  albumId: string,
): void {
  const { entries, remove } = outbox.getState();
  const caption = entries.find((entry) => entry.albumId === albumId && isCaption(entry));
  if (caption?.to.chatroomId === undefined || caption.state === 'sending') return;
  // It was not written for this chat.
  if (caption.isForwarded) return;
  remove([caption.clientId]);
  void drafts.getState().append(caption.to.chatroomId, caption.content);
}

/**
 * Returns a function that returns the new album of a forwarded message, whose id is the `clientId` of its first
 * message. Undefined if no other message of the original album is forwarded with it.
 */
export function createForwardedAlbums(
  originals: readonly Message[],
): (original: Message, clientId: string) => string | undefined {
  const sizes = new Map<string, number>();
  for (const key of originals.flatMap((each) => albumKey(each) ?? [])) {
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const albumIds = new Map<string, string>();
  return (original, clientId) => {
    const key = albumKey(original);
    if (key === undefined || (sizes.get(key) ?? 0) < 2) return undefined;
    const albumId = albumIds.get(key) ?? clientId;
    albumIds.set(key, albumId);
    return albumId;
  };
}

/** Returns what identifies the album of a message, whose id the sender's client has chosen. */
function albumKey({ albumId, chatroom, sender }: Message): string | undefined {
  return albumId === undefined ? undefined : `${chatroom} ${sender.username} ${albumId}`;
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

import { ApiError } from '../api/client.ts';
import type { MediaKind } from '../platform.ts';
import { alignAlbum } from './albums.ts';
import { createRetryPolicy, requestedWait, toSendError } from './retry-policy.ts';
import type { SendOutcome } from './lane-runner.ts';
import { selectUnsentFiles, isPending, type OutboxEntry } from './outbox-entry.ts';
import type { MessageSenderDeps } from './message-sender.ts';

/** The dependencies of an uploader. */
export interface UploaderDeps extends Omit<
  MessageSenderDeps,
  'onSent' | 'onCreated' | 'onPartnerBlocked'
> {
  /** Returns whether the partner's account is known to be deleted. */
  isPartnerDeleted: (chatroomId: string) => boolean;
  /** Called when a file has been uploaded and its entry has become a waiting message. */
  onUploaded: () => void;
  /** Called when images of an album are no longer uploaded. */
  onAlbumStopped: (chatroomId: string, albumId: string) => void;
}

/**
 * Creates a function that uploads the file of an entry, which then becomes a message at the end of
 * the outbox. If the upload fails, the entry and the chatroom's other pending files of that kind
 * become drafts again. If the partner's account is deleted, they are discarded.
 */
export function createUploader(deps: UploaderDeps): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, outbox, platform, hasConnection, isPartnerDeleted, signal } = deps;
  const { onUploaded, onAlbumStopped, onRefused } = deps;
  const { store } = outbox;
  const retryPolicy = createRetryPolicy();
  const uploads = new Map<string, AbortController>();
  const hasPendingFile = (clientId: string): boolean =>
    store.getState().entries.some((entry) => entry.clientId === clientId && entry.file);

  // The user discarded the file, here or in another tab.
  store.subscribe(() => {
    for (const [clientId, upload] of uploads) if (!hasPendingFile(clientId)) upload.abort();
  });
  signal.addEventListener('abort', () => {
    for (const upload of uploads.values()) upload.abort();
  });

  function discardAll(entry: OutboxEntry, kind: MediaKind, chatroomId: string): void {
    const { entries, remove } = store.getState();
    const discarded = selectUnsentFiles(entries, kind, chatroomId);
    remove(discarded.map(({ clientId }) => clientId));
    reportStopped(chatroomId, discarded);
    onRefused(entry, new ApiError('partner_deleted', 403, 'The account of the partner is deleted'));
  }

  /** Reports the albums of files that are no longer uploaded. */
  function reportStopped(chatroomId: string, files: readonly OutboxEntry[]): void {
    for (const albumId of new Set(files.map((file) => file.albumId))) {
      if (albumId !== undefined) onAlbumStopped(chatroomId, albumId);
    }
  }

  return async (entry) => {
    const { clientId, file, media, to } = entry;
    if (!file || to.chatroomId === undefined) return 'next';
    const { kind } = file;
    const { change, requeue, setProgress } = store.getState();
    if (isPartnerDeleted(to.chatroomId)) {
      discardAll(entry, kind, to.chatroomId);
      return 'next';
    }
    const upload = new AbortController();
    uploads.set(clientId, upload);
    change([clientId], { state: 'sending' });
    setProgress(clientId, 0);
    try {
      const { id, url } = await platform.upload(api, kind, file.blob, file.name, {
        onProgress: (share) => {
          if (uploads.has(clientId)) setProgress(clientId, share);
        },
        signal: upload.signal,
        peaks: media?.peaks,
      });
      retryPolicy.forget(clientId);
      if (signal.aborted || !hasPendingFile(clientId)) return 'next';
      if (isPartnerDeleted(to.chatroomId)) {
        discardAll(entry, kind, to.chatroomId);
        return 'next';
      }
      const createdAt = new Date().toISOString();
      const { name, blob } = file;
      const uploaded = {
        content: url,
        uploadId: id,
        file: undefined,
        uploadedFile: { kind, name, blob },
        createdAt,
        state: 'waiting',
      } as const;
      if (entry.albumId === undefined) {
        requeue(clientId, uploaded);
      } else {
        // The images of an album keep their order until all of them are uploaded.
        change([clientId], uploaded);
        alignAlbum(store.getState(), entry.albumId);
      }
      onUploaded();
      return 'next';
    } catch (cause) {
      if (signal.aborted || !hasPendingFile(clientId)) return 'next';
      const error = toSendError(cause);
      platform.logFailure(kind === 'image' ? 'uploading an image' : 'uploading a recording', cause);
      const shouldReport = hasConnection() && error.code !== 'unauthenticated';
      if (retryPolicy.shouldGiveUp(clientId, error) || shouldReport) {
        retryPolicy.forget(clientId);
        const stopped = selectUnsentFiles(store.getState().entries, kind, to.chatroomId).filter(
          isPending,
        );
        change(
          stopped.map((each) => each.clientId),
          { state: 'draft', albumId: undefined },
        );
        reportStopped(to.chatroomId, stopped);
        onRefused(entry, error);
        return 'next';
      }
      change([clientId], { state: 'waiting' });
      return { retryAfter: requestedWait(error) };
    } finally {
      uploads.delete(clientId);
      setProgress(clientId, undefined);
    }
  };
}

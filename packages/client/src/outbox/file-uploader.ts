import { ApiError } from '../api/client.ts';
import type { MediaKind } from '../platform.ts';
import { alignAlbum } from './albums.ts';
import { createAttempts, type SendOutcome } from './attempts.ts';
import { selectUnsentFiles, isPending, type FileEntry, type OutboxEntry } from './outbox-entry.ts';
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

  async function upload(entry: FileEntry, chatroomId: string): Promise<void> {
    const { clientId, file, media } = entry;
    const { kind, name, blob } = file;
    const { change, requeue, setProgress } = store.getState();
    if (isPartnerDeleted(chatroomId)) {
      discardAll(entry, kind, chatroomId);
      return;
    }
    const running = new AbortController();
    uploads.set(clientId, running);
    change([clientId], { state: 'sending' });
    setProgress(clientId, 0);
    try {
      const { id, url } = await platform.upload(api, kind, blob, name, {
        onProgress: (share) => {
          if (uploads.has(clientId)) setProgress(clientId, share);
        },
        signal: running.signal,
        peaks: media?.peaks,
      });
      if (signal.aborted || !hasPendingFile(clientId)) return;
      if (isPartnerDeleted(chatroomId)) {
        discardAll(entry, kind, chatroomId);
        return;
      }
      const uploaded = {
        content: url,
        uploadId: id,
        file: undefined,
        uploadedFile: { kind, name, blob },
        createdAt: new Date().toISOString(),
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
    } catch (error) {
      if (hasPendingFile(clientId)) throw error;
    } finally {
      uploads.delete(clientId);
      setProgress(clientId, undefined);
    }
  }

  /** Turns the files of a chatroom that wait behind a refused one into drafts. */
  function stopAll(kind: MediaKind, chatroomId: string): void {
    const { entries, change } = store.getState();
    const stopped = selectUnsentFiles(entries, kind, chatroomId).filter(isPending);
    change(
      stopped.map(({ clientId }) => clientId),
      { state: 'draft', albumId: undefined },
    );
    reportStopped(chatroomId, stopped);
  }

  return createAttempts<OutboxEntry>(
    {
      idOf: ({ clientId }) => clientId,
      describe: ({ file }) =>
        file?.kind === 'image' ? 'uploading an image' : 'uploading a recording',
      send: async (entry) => {
        const { chatroomId } = entry.to;
        if (hasFile(entry) && chatroomId !== undefined) await upload(entry, chatroomId);
      },
      shouldGiveUp: (_entry, { code }) => hasConnection() && code !== 'unauthenticated',
      onFailed: ({ clientId }) => store.getState().change([clientId], { state: 'waiting' }),
      onRefused: (entry, error) => {
        const { chatroomId } = entry.to;
        if (hasFile(entry) && chatroomId !== undefined) stopAll(entry.file.kind, chatroomId);
        onRefused(entry, error);
      },
    },
    deps,
  );
}

function hasFile(entry: OutboxEntry): entry is FileEntry {
  return entry.file !== undefined;
}

import { ApiError, type ApiErrorCode } from '../api/client.ts';
import { isPartnerDeleted } from '../stores/loaded-chatroom.ts';
import { findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import { alignAlbum, returnCaption } from './albums.ts';
import { createAttempts, isFailureFinal, type SendOutcome } from './attempts.ts';
import type { OutboxContext } from './outbox-context.ts';
import { selectUnsentFiles, isPending, type FileEntry } from './outbox-entry.ts';

/**
 * Creates a function that uploads the file of an entry, which then becomes a message at the end of
 * the outbox. If the upload fails, the entry and the chatroom's other pending files of that kind
 * become drafts again. If the partner's account is deleted, they are discarded.
 * @param flushMessages is called when there may be messages to send
 */
export function createUploader(
  context: OutboxContext,
  flushMessages: () => void,
): (entry: FileEntry) => Promise<SendOutcome> {
  const { api, platform, stores, events, signal } = context;
  const { outbox, rooms } = stores;
  const hasPendingFile = (clientId: string): boolean =>
    outbox.getState().entries.some((entry) => entry.clientId === clientId && entry.file);
  const isForDeletedPartner = ({ to }: FileEntry): boolean => {
    const room = findLoadedChatroom(rooms.getState(), to.chatroomId);
    return room !== undefined && isPartnerDeleted(room);
  };

  /** Turns files that wait behind a refused one into drafts. Discards all if the partner's account is deleted. */
  function stop(refused: FileEntry, error: ApiError): void {
    const { entries, change, remove } = outbox.getState();
    const isDiscarded = error.code === 'partner_deleted';
    const stopped = selectUnsentFiles(entries, refused.file.kind, refused.to.chatroomId).filter(
      (entry) => isDiscarded || isPending(entry),
    );
    const ids = stopped.map(({ clientId }) => clientId);
    if (isDiscarded) remove(ids);
    else change(ids, { state: 'draft', albumId: undefined });
    if (isSizeRefusal(refused, error)) change([refused.clientId], { isTooLarge: true });
    for (const albumId of new Set(stopped.map((entry) => entry.albumId))) {
      if (albumId === undefined) continue;
      returnCaption(stores, albumId);
      alignAlbum(outbox.getState(), albumId);
      flushMessages();
    }
    events.onSendRefused?.(refused, error);
  }

  const discard = (entry: FileEntry): void =>
    stop(entry, new ApiError('partner_deleted', 403, 'The account of the partner is deleted'));

  async function upload(entry: FileEntry): Promise<void> {
    if (isForDeletedPartner(entry)) return discard(entry);
    const { clientId, file, media, albumId } = entry;
    const { kind, name, blob } = file;
    const { change, requeue, setProgress } = outbox.getState();
    const ending = new AbortController();
    // The user may discard the file, here or in another tab.
    const unsubscribe = outbox.subscribe(() => {
      if (!hasPendingFile(clientId)) ending.abort();
    });
    change([clientId], { state: 'sending' });
    setProgress(clientId, 0);
    try {
      const { id, url } = await platform.upload(api, kind, blob, name, {
        onProgress: (share) => {
          if (!ending.signal.aborted) setProgress(clientId, share);
        },
        signal: AbortSignal.any([signal, ending.signal]),
        peaks: media?.peaks,
      });
      if (signal.aborted || !hasPendingFile(clientId)) return undefined;
      if (isForDeletedPartner(entry)) return discard(entry);
      const uploaded = {
        content: url,
        uploadId: id,
        file: undefined,
        uploadedFile: { kind, name, blob },
        createdAt: new Date().toISOString(),
        state: 'waiting',
      } as const;
      if (albumId === undefined) {
        requeue(clientId, uploaded);
      } else {
        // The images of an album keep their order until all of them are uploaded.
        change([clientId], uploaded);
        alignAlbum(outbox.getState(), albumId);
      }
      return flushMessages();
    } catch (error) {
      if (hasPendingFile(clientId)) throw error;
      return undefined;
    } finally {
      unsubscribe();
      ending.abort();
      setProgress(clientId, undefined);
    }
  }

  return createAttempts<FileEntry>(context, {
    describe: ({ file }) =>
      file.kind === 'image' ? 'uploading an image' : 'uploading a recording',
    send: upload,
    shouldGiveUp: (_entry, error) => isFailureFinal(context, error),
    onFailed: ({ clientId }) => outbox.getState().change([clientId], { state: 'waiting' }),
    onRefused: stop,
  });
}

const SIZE_REFUSALS: ReadonlySet<string> = new Set<ApiErrorCode>([
  'too_large',
  'media_too_complex',
  'proxy_too_large',
]);

function isSizeRefusal({ file }: FileEntry, { code }: ApiError): boolean {
  return file.kind === 'image' && SIZE_REFUSALS.has(code);
}

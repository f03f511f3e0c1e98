import type { UploadResponse } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import { createRetryPolicy, toSendError } from './retry-policy.ts';
import type { SendOutcome } from './lane-runner.ts';
import { selectUnsentFiles, isPending, type MediaKind, type OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';

/** How a file gets to the server. */
export interface UploadOptions {
  /** Told how much has been sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** Waveform of a recording: heights from 0 to 100. */
  peaks?: readonly number[] | undefined;
}

/** Uploads a picture or a recording. Rejects with an `ApiError`, or with an `AbortError` when it was cancelled. */
export type UploadMedia = (
  api: ApiClient,
  kind: MediaKind,
  file: Blob,
  fileName: string,
  options?: UploadOptions,
) => Promise<UploadResponse>;

interface UploaderDeps {
  api: ApiClient;
  outbox: OutboxStore;
  platform: Pick<Platform, 'upload' | 'logFailure'>;
  /** Whether there seems to be a connection, so that a failure is worth telling at once. */
  hasConnection: () => boolean;
  /** Whether the partner's account is deleted by now, also where the chatroom was left meanwhile. */
  isPartnerDeleted: (chatroomId: string) => boolean;
  signal: AbortSignal;
  /** A file has become a message that waits to be sent. */
  onUploaded: () => void;
  /** An entry will not be sent again by itself. */
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
}

/**
 * Returns how files go out: each is uploaded and becomes a message behind those that were written
 * meanwhile. Where one fails, it and those behind it wait for the user; where the partner's account is
 * deleted, they are discarded.
 */
export function createUploader(deps: UploaderDeps): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, outbox, platform, hasConnection, isPartnerDeleted, signal, onUploaded, onRefused } =
    deps;
  const { store } = outbox;
  const retryPolicy = createRetryPolicy();
  const uploads = new Map<string, AbortController>();
  const isThere = (clientId: string): boolean =>
    store.getState().entries.some((entry) => entry.clientId === clientId && entry.file);

  // Discarded, here or in another tab.
  store.subscribe(() => {
    for (const [clientId, upload] of uploads) if (!isThere(clientId)) upload.abort();
  });
  signal.addEventListener('abort', () => {
    for (const upload of uploads.values()) upload.abort();
  });

  function discardAll(entry: OutboxEntry, kind: MediaKind, chatroomId: string): void {
    const { entries, remove } = store.getState();
    remove(selectUnsentFiles(entries, kind, chatroomId).map(({ clientId }) => clientId));
    onRefused(entry, new ApiError('partner_deleted', 403, 'The account of the partner is deleted'));
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
      const { url } = await platform.upload(api, kind, file.blob, file.name, {
        onProgress: (share) => {
          if (uploads.has(clientId)) setProgress(clientId, share);
        },
        signal: upload.signal,
        peaks: media?.peaks,
      });
      retryPolicy.forget(clientId);
      if (signal.aborted || !isThere(clientId)) return 'next';
      if (isPartnerDeleted(to.chatroomId)) {
        discardAll(entry, kind, to.chatroomId);
        return 'next';
      }
      const createdAt = new Date().toISOString();
      requeue(clientId, { content: url, file: undefined, createdAt, state: 'waiting' });
      onUploaded();
      return 'next';
    } catch (cause) {
      if (signal.aborted || !isThere(clientId)) return 'next';
      const error = toSendError(cause);
      platform.logFailure(kind === 'image' ? 'uploading an image' : 'uploading a recording', cause);
      const shouldReport = hasConnection() && error.code !== 'unauthenticated';
      if (retryPolicy.shouldGiveUp(entry, error) || shouldReport) {
        retryPolicy.forget(clientId);
        const stopped = selectUnsentFiles(store.getState().entries, kind, to.chatroomId).filter(
          isPending,
        );
        change(
          stopped.map((each) => each.clientId),
          { state: 'draft' },
        );
        onRefused(entry, error);
        return 'next';
      }
      change([clientId], { state: 'waiting' });
      return { retryAfter: (error.retryAfter ?? 0) * 1_000 };
    } finally {
      uploads.delete(clientId);
      setProgress(clientId, undefined);
    }
  };
}

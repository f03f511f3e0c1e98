import type { MediaInfo, UploadResponse } from '@parley/contract';
import { ApiError, type ApiClient } from './api/client.ts';
import type { ClientStores } from './stores/client-stores.ts';
import { draftsAt, mediaDraftKey, type MediaDraft, type MediaKind } from './stores/media-drafts.ts';
import { isPartnerDeleted } from './stores/room.ts';
import { loadedRoom } from './stores/rooms.ts';

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

/** Uploads and sends the pictures and recordings of a chatroom that wait. */
export interface MediaSender {
  /**
   * Sends those that are there, one after the other, also where the chatroom is left meanwhile. What was
   * sent before goes first. Where one fails, it and those behind it stay; where the partner's account is
   * deleted, they are discarded.
   * @throws {ApiError} of the upload, or `partner_deleted`
   */
  send: (kind: MediaKind, chatroomId: string) => Promise<void>;
}

interface MediaSenderDeps {
  api: ApiClient;
  stores: Pick<ClientStores, 'rooms' | 'mediaDrafts'>;
  upload: UploadMedia;
  /** Sends the message that an upload has become. */
  onUploaded: (chatroomId: string, url: string, media: MediaInfo | undefined) => void;
}

/** Creates a sender; what is discarded meanwhile is not sent. */
export function createMediaSender(deps: MediaSenderDeps): MediaSender {
  const { api, stores, upload, onUploaded } = deps;
  const { rooms, mediaDrafts } = stores;

  /** Whether the partner's account is deleted by now, also where the chatroom was left meanwhile. */
  function isPartnerGone(chatroomId: string): boolean {
    const room = loadedRoom(rooms.getState(), chatroomId);
    return room !== undefined && isPartnerDeleted(room);
  }

  async function sendOne(kind: MediaKind, chatroomId: string, draft: MediaDraft): Promise<void> {
    const { file, fileName, media, discarded } = draft;
    const { setProgress, discard } = mediaDrafts.getState();
    const key = mediaDraftKey(kind, chatroomId);
    setProgress(key, file, 0);
    const { url } = await upload(api, kind, file, fileName, {
      onProgress: (share) => setProgress(key, file, share),
      signal: discarded.signal,
      peaks: media?.peaks,
    });
    if (discarded.signal.aborted || isPartnerGone(chatroomId)) return;
    onUploaded(chatroomId, url, media);
    discard(key, file);
  }

  return {
    send: async (kind, chatroomId) => {
      const { setGoing, discard } = mediaDrafts.getState();
      const key = mediaDraftKey(kind, chatroomId);
      const next = () => draftsAt(mediaDrafts.getState(), key).find(({ isGoing }) => isGoing);
      const isSending = next() !== undefined;
      setGoing(key, true);
      if (isSending) return;
      for (let draft = next(); draft; draft = next()) {
        if (isPartnerGone(chatroomId)) {
          discard(key);
          throw new ApiError('partner_deleted', 403, 'The account of the partner is deleted');
        }
        try {
          await sendOne(kind, chatroomId, draft);
        } catch (error) {
          if (draft.discarded.signal.aborted) continue;
          setGoing(key, false);
          throw error;
        }
      }
    },
  };
}

import {
  draftsAt,
  isPartnerDeleted,
  loadedRoom,
  type MediaDraft,
  mediaDraftKey,
  type MediaKind,
} from '@parley/client';
import type { MediaInfo } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { uploadMedia } from '../../browser/upload-media.ts';
import { useClient, useClientState } from '../../client/client-context.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { toastError } from '../../ui/toasts.ts';

/** A room's pictures or recordings that are not sent yet. */
export interface MediaDraftsControl {
  /** In the order in which they go out. */
  drafts: readonly MediaDraft[];
  /** `media` is what is known of a recording. */
  keep: (file: Blob, fileName: string, media?: MediaInfo) => void;
  /**
   * Uploads and sends those that are there, one after the other, also where the room is left meanwhile.
   * What was sent before goes first. Where one fails, it and those behind it stay; where the partner's
   * account is gone, nothing does.
   */
  send: () => Promise<void>;
  /** Gives up one, or all, and stops its upload. */
  discard: (file?: Blob) => void;
}

/** The room's drafts of one kind. `failureText` is what to tell where one could not be uploaded. */
export function useRoomMediaDrafts(
  kind: MediaKind,
  chatId: string,
  failureText: (error: unknown) => string,
): MediaDraftsControl {
  const { t } = useTranslation();
  const api = useApi();
  const client = useClient();
  const key = mediaDraftKey(kind, chatId);
  const drafts = useClientState('mediaDrafts', (state) => draftsAt(state, key));

  const keep = useCallback(
    (file: Blob, fileName: string, media?: MediaInfo) => {
      // A recording may end after the person has signed out.
      if (client.signal.aborted) return;
      client.mediaDrafts.getState().add(key, file, fileName, media);
    },
    [client, key],
  );
  const discard = useCallback(
    (file?: Blob) => client.mediaDrafts.getState().discard(key, file),
    [client, key],
  );

  /** Whether the partner's account is deleted by now, also where the room was left meanwhile. */
  const isPartnerGone = (): boolean => {
    const room = loadedRoom(client.rooms.getState(), chatId);
    return room !== undefined && isPartnerDeleted(room);
  };

  const upload = async ({ file, fileName, media, discarded }: MediaDraft): Promise<void> => {
    const { setProgress } = client.mediaDrafts.getState();
    setProgress(key, file, 0);
    const { url } = await uploadMedia(api, kind, file, fileName, {
      onProgress: (share) => setProgress(key, file, share),
      signal: discarded.signal,
      peaks: media?.peaks,
    });
    if (discarded.signal.aborted || isPartnerGone()) return;
    client.send(chatId, url, media);
    discard(file);
  };

  const send = async (): Promise<void> => {
    const { setGoing } = client.mediaDrafts.getState();
    const next = () => draftsAt(client.mediaDrafts.getState(), key).find(({ isGoing }) => isGoing);
    const isAtIt = next() !== undefined;
    setGoing(key, true);
    if (isAtIt) return;
    for (let draft = next(); draft; draft = next()) {
      if (isPartnerGone()) {
        toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
        discard();
        return;
      }
      try {
        await upload(draft);
      } catch (error) {
        if (draft.discarded.signal.aborted) continue;
        setGoing(key, false);
        logFailure(kind === 'image' ? 'uploading an image' : 'uploading a recording', error);
        toastError(failureText(error));
        return;
      }
    }
  };

  return { drafts, keep, send, discard };
}

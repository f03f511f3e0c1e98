import type { MediaInfo } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/api-context.ts';
import { uploadMedia } from '../../api/media.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { useChat, useCurrentChat } from '../../realtime/current-chat.ts';
import {
  draftsAt,
  mediaDraftKey,
  useMediaDrafts,
  type MediaDraft,
  type MediaKind,
} from '../../stores/media-drafts.ts';
import { isPartnerDeleted } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
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
  drop: (file?: Blob) => void;
}

/** The room's drafts of one kind. `failureText` is what to tell where one could not be uploaded. */
export function useRoomMediaDrafts(
  kind: MediaKind,
  chatId: string,
  failureText: (error: unknown) => string,
): MediaDraftsControl {
  const { t } = useTranslation();
  const api = useApi();
  const chat = useChat();
  const key = mediaDraftKey(kind, chatId);
  const drafts = useMediaDrafts((state) => draftsAt(state, key));

  const keep = useCallback(
    (file: Blob, fileName: string, media?: MediaInfo) => {
      // A recording may end after the person has signed out.
      if (useCurrentChat.getState().session !== chat) return;
      useMediaDrafts.getState().add(key, file, fileName, media);
    },
    [chat, key],
  );
  const drop = useCallback((file?: Blob) => useMediaDrafts.getState().drop(key, file), [key]);

  const upload = async ({ file, fileName, media, dropped }: MediaDraft): Promise<void> => {
    const { setProgress } = useMediaDrafts.getState();
    setProgress(key, file, 0);
    const { url } = await uploadMedia(api, kind, file, fileName, {
      onProgress: (share) => setProgress(key, file, share),
      signal: dropped.signal,
      peaks: media?.peaks,
    });
    if (dropped.signal.aborted || isNobodyThere(chatId)) return;
    chat.send(chatId, url, media);
    drop(file);
  };

  const send = async (): Promise<void> => {
    const { setGoing } = useMediaDrafts.getState();
    const next = () => draftsAt(useMediaDrafts.getState(), key).find(({ isGoing }) => isGoing);
    const isAtIt = next() !== undefined;
    setGoing(key, true);
    if (isAtIt) return;
    for (let draft = next(); draft; draft = next()) {
      if (isNobodyThere(chatId)) {
        toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
        drop();
        return;
      }
      try {
        await upload(draft);
      } catch (error) {
        if (draft.dropped.signal.aborted) continue;
        setGoing(key, false);
        logFailure(kind === 'image' ? 'uploading an image' : 'uploading a recording', error);
        toastError(failureText(error));
        return;
      }
    }
  };

  return { drafts, keep, send, drop };
}

/** Whether the partner's account has gone by now, also where the room was left meanwhile. */
function isNobodyThere(chatId: string): boolean {
  const entry = useRooms.getState().rooms[chatId];
  return entry?.status === 'ready' && isPartnerDeleted(entry.room);
}

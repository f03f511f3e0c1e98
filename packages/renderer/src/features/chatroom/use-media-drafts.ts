import { useCallback } from 'react';
import { useApi } from '../../api/api-context.ts';
import { uploadMedia } from '../../api/media.ts';
import { useChat, useCurrentChat } from '../../realtime/current-chat.ts';
import {
  draftsAt,
  mediaDraftKey,
  useMediaDrafts,
  type MediaDraft,
  type MediaKind,
} from '../../stores/media-drafts.ts';
import { toastError } from '../../ui/toasts.ts';

/** A room's pictures or recordings that are not sent yet. */
export interface MediaDraftsControl {
  /** In the order in which they go out. */
  drafts: readonly MediaDraft[];
  keep: (file: Blob, fileName: string) => void;
  /**
   * Uploads and sends those that are there, one after the other, also where the room is left meanwhile.
   * Where one fails, it and those behind it stay.
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
  const api = useApi();
  const chat = useChat();
  const key = mediaDraftKey(kind, chatId);
  const drafts = useMediaDrafts((state) => draftsAt(state, key));

  const keep = useCallback(
    (file: Blob, fileName: string) => {
      // A recording may end after the person has signed out.
      if (useCurrentChat.getState().session !== chat) return;
      useMediaDrafts.getState().add(key, file, fileName);
    },
    [chat, key],
  );
  const drop = useCallback((file?: Blob) => useMediaDrafts.getState().drop(key, file), [key]);

  const upload = async ({ file, fileName, dropped }: MediaDraft): Promise<void> => {
    const { setProgress } = useMediaDrafts.getState();
    setProgress(key, file, 0);
    const { url } = await uploadMedia(api, kind, file, fileName, {
      onProgress: (share) => setProgress(key, file, share),
      signal: dropped.signal,
    });
    if (dropped.signal.aborted) return;
    chat.send(chatId, url);
    drop(file);
  };

  const send = async (): Promise<void> => {
    const waiting = draftsAt(useMediaDrafts.getState(), key);
    if (waiting.some(({ progress }) => progress !== undefined)) return;
    for (const draft of waiting) {
      if (draft.dropped.signal.aborted) continue;
      try {
        await upload(draft);
      } catch (error) {
        if (draft.dropped.signal.aborted) continue;
        useMediaDrafts.getState().setProgress(key, draft.file, undefined);
        toastError(failureText(error));
        return;
      }
    }
  };

  return { drafts, keep, send, drop };
}

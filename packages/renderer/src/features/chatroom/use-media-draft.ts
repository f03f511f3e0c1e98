import { useCallback } from 'react';
import { useApi } from '../../api/api-context.ts';
import { uploadMedia } from '../../api/media.ts';
import { useChat, useCurrentChat } from '../../realtime/current-chat.ts';
import {
  mediaDraftKey,
  useMediaDrafts,
  type MediaDraft,
  type MediaKind,
} from '../../stores/media-drafts.ts';
import { toastError } from '../../ui/toasts.ts';

/** A room's picture or recording that is not sent yet. */
export interface MediaDraftControl {
  draft: MediaDraft | undefined;
  keep: (file: Blob, fileName: string) => void;
  /** Uploads it and sends it, also where the room is left meanwhile. It stays where that fails. */
  send: () => Promise<void>;
  /** Gives it up and stops its upload. */
  drop: () => void;
}

/** The room's draft of one kind. `failureText` is what to tell where it could not be uploaded. */
export function useMediaDraft(
  kind: MediaKind,
  chatId: string,
  failureText: (error: unknown) => string,
): MediaDraftControl {
  const api = useApi();
  const chat = useChat();
  const key = mediaDraftKey(kind, chatId);
  const draft = useMediaDrafts((state) => state.drafts[key]);

  const keep = useCallback(
    (file: Blob, fileName: string) => {
      // A recording may end after the person has signed out.
      if (useCurrentChat.getState().session !== chat) return;
      useMediaDrafts.getState().put(key, file, fileName);
    },
    [chat, key],
  );
  const drop = useCallback(() => useMediaDrafts.getState().drop(key), [key]);

  const send = async (): Promise<void> => {
    const { drafts, setProgress } = useMediaDrafts.getState();
    const current = drafts[key];
    if (!current || current.progress !== undefined) return;
    const { file, fileName, dropped } = current;
    setProgress(key, file, 0);
    try {
      const { url } = await uploadMedia(api, kind, file, fileName, {
        onProgress: (share) => setProgress(key, file, share),
        signal: dropped.signal,
      });
      if (dropped.signal.aborted) return;
      chat.send(chatId, url);
      drop();
    } catch (error) {
      if (dropped.signal.aborted) return;
      setProgress(key, file, undefined);
      toastError(failureText(error));
    }
  };

  return { draft, keep, send, drop };
}

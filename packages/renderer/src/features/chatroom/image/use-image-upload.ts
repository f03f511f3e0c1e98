import { LIMITS } from '@parley/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../api/api-context.ts';
import { uploadMedia } from '../../../api/media.ts';
import { useChat } from '../../../realtime/current-chat.ts';
import type { Room } from '../../../stores/room.ts';
import { toastError } from '../../../ui/toasts.ts';
import { IMAGE_TYPES, imageFailure } from './image-failure.ts';

/** A picture that was chosen and not sent yet. */
export interface DraftImage {
  file: File;
  /** To show it before it is anywhere. */
  previewUrl: string;
  /** 0 to 1 while it is on its way; undefined before. */
  progress: number | undefined;
}

/** Choosing, showing and sending one picture. */
export interface ImageUpload {
  draft: DraftImage | undefined;
  /** Takes a file; tells the person where it is none that can be sent. */
  choose: (file: File | null | undefined) => void;
  /** Uploads the picture and sends it. It stays chosen where that fails. */
  send: () => Promise<void>;
  /** Drops the picture and stops its upload. */
  clear: () => void;
}

/** Lets the person choose one picture for a room. Leaving the room stops an upload. */
export function useImageUpload(room: Room): ImageUpload {
  const { t } = useTranslation();
  const api = useApi();
  const chat = useChat();
  const [draft, setDraft] = useState<DraftImage>();
  const upload = useRef<AbortController>(undefined);
  const previewUrl = draft?.previewUrl;

  useEffect(
    () => () => {
      if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl);
    },
    [previewUrl],
  );
  useEffect(() => () => upload.current?.abort(), []);

  const clear = useCallback(() => {
    upload.current?.abort();
    setDraft(undefined);
  }, []);

  const choose = useCallback(
    (file: File | null | undefined) => {
      if (!file) return;
      if (!IMAGE_TYPES.includes(file.type)) {
        toastError(t('composer.imageType'));
        return;
      }
      if (file.size > LIMITS.imageBytesMax) {
        toastError(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        return;
      }
      upload.current?.abort();
      setDraft({ file, previewUrl: URL.createObjectURL(file), progress: undefined });
    },
    [t],
  );

  const send = async (): Promise<void> => {
    if (!draft || draft.progress !== undefined) return;
    const abort = new AbortController();
    upload.current = abort;
    const setProgress = (progress: number | undefined): void =>
      setDraft((now) => (now?.file === draft.file ? { ...now, progress } : now));
    setProgress(0);
    try {
      const { url } = await uploadMedia(api, 'image', draft.file, draft.file.name, {
        onProgress: setProgress,
        signal: abort.signal,
      });
      chat.send(room.id, url);
      setDraft(undefined);
    } catch (error) {
      if (abort.signal.aborted) return;
      setProgress(undefined);
      toastError(imageFailure(error, t));
    }
  };

  return { draft, choose, send, clear };
}

import { ApiError, draftsAt, mediaDraftKey, type MediaDraft, type MediaKind } from '@parley/client';
import type { MediaInfo } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
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
  const client = useClient();
  const key = mediaDraftKey(kind, chatId);
  const drafts = useClientState('mediaDrafts', (state) => draftsAt(state, key));

  const keep = useCallback(
    (file: Blob, fileName: string, media?: MediaInfo) =>
      client.addMedia(kind, chatId, file, fileName, media),
    [client, kind, chatId],
  );
  const discard = useCallback(
    (file?: Blob) => client.mediaDrafts.getState().discard(key, file),
    [client, key],
  );

  const send = async (): Promise<void> => {
    try {
      await client.sendMedia(kind, chatId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'partner_deleted') {
        toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
        return;
      }
      logFailure(kind === 'image' ? 'uploading an image' : 'uploading a recording', error);
      toastError(failureText(error));
    }
  };

  return { drafts, keep, send, discard };
}

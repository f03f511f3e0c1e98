import type { LoadedChatroom } from '@parley/client';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { toastInfo } from '../../../ui/show-toast.ts';

/**
 * Stops editing a message when it is deleted in another tab or on another device. The edited text becomes the
 * draft, unless there already is one.
 */
export function useStopEditingDeleted({
  id,
  deletedRevs,
}: Pick<LoadedChatroom, 'id' | 'deletedRevs'>): void {
  const { t } = useTranslation();
  const client = useClient();
  const message = useClientState('editing', (state) => state.message);
  const isDeleted = message !== undefined && deletedRevs.has(message._id);
  useEffect(() => {
    if (!isDeleted) return;
    const { text, stop } = client.editing.getState();
    const { drafts, setDraft } = client.drafts.getState();
    if (text !== message.content && !drafts[id]) setDraft(id, text);
    stop();
    toastInfo(t('composer.editedMessageDeleted'));
  }, [client, id, isDeleted, message, t]);
}

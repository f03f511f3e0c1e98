import type { Room } from '@parley/client';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { toastInfo } from '../../../ui/toasts.ts';

/**
 * Ends the change of a message that was deleted meanwhile, in another tab or on another device. What
 * it was to become stays as a draft, unless there is one.
 */
export function useStopEditingDeleted({ id, deletedRevs }: Pick<Room, 'id' | 'deletedRevs'>): void {
  const { t } = useTranslation();
  const client = useClient();
  const message = useClientState('editing', (state) => state.message);
  const isGone = message !== undefined && deletedRevs.has(message._id);
  useEffect(() => {
    if (!isGone) return;
    const { text, stop } = client.editing.getState();
    const { drafts, setDraft } = client.drafts.getState();
    if (text !== message.content && !drafts[id]) setDraft(id, text);
    stop();
    toastInfo(t('composer.editGone'));
  }, [client, id, isGone, message, t]);
}

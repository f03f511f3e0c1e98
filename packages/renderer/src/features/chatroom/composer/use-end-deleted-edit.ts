import { resolveQuote, type LoadedChatroom } from '@parley/client';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastInfo } from '../../../ui/show-toast.ts';
import { useDraft } from '../use-draft.ts';

/**
 * Ends the edit of a message that was deleted in another tab or on another device. The edited text is added to the
 * draft.
 */
export function useEndDeletedEdit(room: LoadedChatroom): void {
  const { t } = useTranslation();
  const client = useClient();
  const { id } = room;
  const [{ editing }, change] = useDraft(id);
  // A stored copy may lack the newest messages.
  const isDeleted =
    editing !== undefined &&
    resolveQuote(room, editing, {})?.isDeleted === true &&
    (room.deletedRevs.has(editing.messageId) || editing.seq < (room.messages.at(-1)?.seq ?? 0));
  const endEdit = useEffectEvent(() => {
    if (!editing) return;
    const { original, text } = editing;
    change({ editing: undefined });
    if (text !== original) void client.drafts.getState().append(id, text);
    toastInfo(t('composer.editedMessageDeleted'));
  });
  useEffect(() => {
    if (isDeleted) endEdit();
  }, [isDeleted]);
}

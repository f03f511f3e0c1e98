import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useDrafts } from '../../../stores/drafts.ts';
import { useEditing } from '../../../stores/editing.ts';
import type { Room } from '../../../stores/room.ts';
import { toastInfo } from '../../../ui/toasts.ts';

/**
 * Ends the change of a message that was deleted meanwhile, in another tab or on another device. What
 * it was to become stays as a draft, unless there is one.
 */
export function useEditGone({ id, gone }: Pick<Room, 'id' | 'gone'>): void {
  const { t } = useTranslation();
  const message = useEditing((state) => state.message);
  const isGone = message !== undefined && gone.has(message._id);
  useEffect(() => {
    if (!isGone) return;
    const { text, stop } = useEditing.getState();
    const { drafts, setDraft } = useDrafts.getState();
    if (text !== message.content && !drafts[id]) setDraft(id, text);
    stop();
    toastInfo(t('composer.editGone'));
  }, [id, isGone, message, t]);
}

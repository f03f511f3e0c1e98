import type { MessageIdentity } from '@parley/client';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../../client/client-context.ts';
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx';
import { focusAfterRemoval } from '../message-focus.ts';

interface DeleteMessageDialogProps {
  /** Several if it is an album, or selected. The last one is the newest. */
  messages: readonly MessageIdentity[];
  /** Contains the messages, one of which gets the focus. */
  frame?: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  /** Called before `onClose` when the messages were deleted. */
  onDeleted?: () => void;
  onClose: () => void;
}

/** Asks for a confirmation and deletes messages for both users. */
export function DeleteMessageDialog(props: DeleteMessageDialogProps) {
  const { messages, frame, finalFocus, onDeleted, onClose } = props;
  const { t } = useTranslation();
  const client = useClient();

  const remove = (): void => {
    const id = messages.at(-1)?._id ?? '';
    const bubble = frame?.current?.querySelector(`[data-message="${CSS.escape(id)}"]`);
    const moveFocus = focusAfterRemoval(bubble ?? null);
    for (const message of messages) client.remove(message);
    moveFocus();
    onDeleted?.();
    onClose();
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('message.deleteTitle', { count: messages.length })}
      text={t('message.deleteText', { count: messages.length })}
      confirmLabel={t('app.delete')}
      cancelLabel={t('app.cancel')}
      onConfirm={remove}
      finalFocus={finalFocus}
      danger
    />
  );
}

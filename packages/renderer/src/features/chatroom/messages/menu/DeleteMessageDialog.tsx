import type { Message } from '@parley/contract';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../../client/client-context.ts';
import { logFailure } from '../../../../logging/log-failure.ts';
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx';
import { toastError } from '../../../../ui/show-toast.ts';
import { focusAfterRemoval } from '../message-focus.ts';

interface DeleteMessageDialogProps {
  message: Message;
  /** Contains the messages. */
  frame: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for a confirmation and deletes a message for both users. */
export function DeleteMessageDialog(props: DeleteMessageDialogProps) {
  const { message, frame, finalFocus, onClose } = props;
  const { t } = useTranslation();
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);

  const remove = async (): Promise<void> => {
    setIsBusy(true);
    const bubble = frame.current?.querySelector(`[data-message="${CSS.escape(message._id)}"]`);
    const moveFocus = focusAfterRemoval(bubble ?? null);
    try {
      if (client.editing.getState().message?._id === message._id) client.editing.getState().stop();
      await client.remove(message);
      moveFocus();
    } catch (error) {
      logFailure('deleting a message', error);
      toastError(t('message.deleteFailed'));
    }
    onClose();
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('message.deleteTitle')}
      text={t('message.deleteText')}
      confirmLabel={t('app.delete')}
      cancelLabel={t('app.cancel')}
      onConfirm={() => void remove()}
      isBusy={isBusy}
      finalFocus={finalFocus}
      danger
    />
  );
}

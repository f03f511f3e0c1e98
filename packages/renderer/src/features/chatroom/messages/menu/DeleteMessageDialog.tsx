import type { Message } from '@parley/contract';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../../client/client-context.ts';
import { logFailure } from '../../../../logging/log-failure.ts';
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx';
import { toastError } from '../../../../ui/show-toast.ts';
import { focusAfterRemoval } from '../message-focus.ts';

interface DeleteMessageDialogProps {
  /** Several if it is an album. */
  messages: readonly Message[];
  /** Contains the messages. */
  frame: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for a confirmation and deletes messages for both users. */
export function DeleteMessageDialog(props: DeleteMessageDialogProps) {
  const { messages, frame, finalFocus, onClose } = props;
  const { t } = useTranslation();
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);

  const remove = async (): Promise<void> => {
    setIsBusy(true);
    const id = messages.at(-1)?._id ?? '';
    const bubble = frame.current?.querySelector(`[data-message="${CSS.escape(id)}"]`);
    const moveFocus = focusAfterRemoval(bubble ?? null);
    try {
      for (const message of messages) {
        if (client.editing.getState().message?._id === message._id) {
          client.editing.getState().stop();
        }
        await client.remove(message);
      }
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
      title={t('message.deleteTitle', { count: messages.length })}
      text={t('message.deleteText', { count: messages.length })}
      confirmLabel={t('app.delete')}
      cancelLabel={t('app.cancel')}
      onConfirm={() => void remove()}
      isBusy={isBusy}
      finalFocus={finalFocus}
      danger
    />
  );
}

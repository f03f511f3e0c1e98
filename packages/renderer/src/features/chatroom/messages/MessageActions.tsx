import type { Message } from '@parley/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import { focusAfterRemoval } from './message-focus.ts';
import css from './MessageActions.module.css';

interface MessageActionsProps {
  message: Message;
  /** Whether it can be edited, as only texts can. */
  isEditable: boolean;
  isTabStop: boolean;
}

/** The edit and delete buttons of the user's own message. They are always visible, and emphasized on hover and focus. */
export function MessageActions({ message, isEditable, isTabStop }: MessageActionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const tabIndex = isTabStop ? 0 : -1;

  const remove = async (): Promise<void> => {
    setIsBusy(true);
    const moveFocus = focusAfterRemoval(actions.current);
    try {
      if (client.editing.getState().message?._id === message._id) client.editing.getState().stop();
      await client.remove(message);
      moveFocus();
    } catch (error) {
      logFailure('deleting a message', error);
      toastError(t('message.deleteFailed'));
    }
    setIsBusy(false);
    setIsConfirming(false);
  };

  return (
    <>
      {/* Plain buttons, as a tooltip component for each would be too expensive. */}
      <div ref={actions} className={css.actions}>
        {isEditable && (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-label={t('message.edit')}
            title={t('message.edit')}
            onClick={() => client.editing.getState().start(message)}
          >
            <Pencil aria-hidden="true" />
          </button>
        )}
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={t('message.delete')}
          title={t('message.delete')}
          onClick={() => setIsConfirming(true)}
        >
          <Trash2 aria-hidden="true" />
        </button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          open
          onOpenChange={setIsConfirming}
          title={t('message.deleteTitle')}
          text={t('message.deleteText')}
          confirmLabel={t('app.delete')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void remove()}
          isBusy={isBusy}
          danger
        />
      )}
    </>
  );
}

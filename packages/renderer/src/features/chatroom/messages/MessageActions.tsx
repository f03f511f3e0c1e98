import type { Message } from '@parley/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { toastError } from '../../../ui/toasts.ts';
import { focusAfterRemoval } from './message-focus.ts';
import css from './MessageActions.module.css';

interface MessageActionsProps {
  message: Message;
  /** Only text can be changed. */
  isText: boolean;
  isTabStop: boolean;
}

/** Edit and delete, beside an own message: always in sight, and stronger on hover and focus. */
export function MessageActions({ message, isText, isTabStop }: MessageActionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [isAsking, setIsAsking] = useState(false);
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
    setIsAsking(false);
  };

  return (
    <>
      {/* Plain buttons: a room has too many of them for a tooltip's machinery each. */}
      <div ref={actions} className={css.actions}>
        {isText && (
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
          onClick={() => setIsAsking(true)}
        >
          <Trash2 aria-hidden="true" />
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          open
          onOpenChange={setIsAsking}
          title={t('message.deleteTitle')}
          text={t('message.deleteText')}
          confirmLabel={t('app.delete')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void remove()}
          busy={isBusy}
          danger
        />
      )}
    </>
  );
}

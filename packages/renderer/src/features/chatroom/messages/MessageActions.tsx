import type { Message } from '@parley/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import type { MessageControls } from './menu/message-controls.ts';
import css from './MessageActions.module.css';

interface MessageActionsProps {
  /** The user's own messages that the server has: several in an album. */
  ownMessages: readonly Message[];
  /** Whether it can be edited, as only texts can. */
  isEditable: boolean;
  /** Whether the server will have it soon. Until then, only the space for the buttons is there. */
  isPending: boolean;
  isTabStop: boolean;
  controls: MessageControls;
}

/** The buttons that edit and delete an own message, beside its time. They are always visible. */
export function MessageActions(props: MessageActionsProps) {
  const { ownMessages, isEditable, isPending, isTabStop, controls } = props;
  const [ownMessage] = ownMessages;
  const { t } = useTranslation();
  const client = useClient();
  if (!ownMessage) {
    // The bubble keeps its size when the message is sent.
    return (
      isPending && (
        <span className={css.actions}>
          {isEditable && <span />}
          <span />
        </span>
      )
    );
  }
  const tabIndex = isTabStop ? 0 : -1;
  return (
    // Plain buttons, as a tooltip component for each would be too expensive.
    <span className={css.actions}>
      {isEditable && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={t('message.edit')}
          title={t('message.edit')}
          onClick={() => client.startEdit(ownMessage)}
        >
          <Pencil />
        </button>
      )}
      <button
        type="button"
        className={css.delete}
        tabIndex={tabIndex}
        aria-label={t('message.delete')}
        title={t('message.delete')}
        onClick={(event) => controls.confirmDelete(ownMessages, event.currentTarget)}
      >
        <Trash2 />
      </button>
    </span>
  );
}

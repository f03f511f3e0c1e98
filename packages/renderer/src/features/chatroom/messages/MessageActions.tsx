import type { Message } from '@parley/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import type { MessageControls } from './menu/message-controls.ts';
import { MenuButton } from './MenuButton.tsx';
import css from './MessageActions.module.css';

interface MessageActionsProps {
  isOwn: boolean;
  /** The user's own messages that the server has: several in an album, none if it is the partner's. */
  ownMessages: readonly Message[];
  /** Whether it can be edited, as only texts can. */
  isEditable: boolean;
  isTabStop: boolean;
  controls: MessageControls;
  isMenuOpen: boolean;
  /** Whether the menu's button is beside the time instead. */
  hasTouch: boolean;
}

/**
 * The buttons beside a message: the menu, and edit and delete for the user's own. Edit and delete are always
 * visible, and emphasized on hover and focus.
 */
export function MessageActions(props: MessageActionsProps) {
  const { ownMessages, isEditable, isTabStop, controls, isMenuOpen, hasTouch } = props;
  const [ownMessage] = ownMessages;
  const { t } = useTranslation();
  const client = useClient();
  const tabIndex = isTabStop ? 0 : -1;
  return (
    // Plain buttons, as a tooltip component for each would be too expensive.
    <div className={css.actions} data-side={props.isOwn ? 'start' : 'end'}>
      {!hasTouch && (
        <MenuButton
          className={css.more}
          isTabStop={isTabStop}
          isOpen={isMenuOpen}
          controls={controls}
        />
      )}
      {ownMessage && isEditable && (
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
      {ownMessage && (
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
      )}
    </div>
  );
}

import type { MessageEntry } from '@parley/client';
import { RotateCw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import css from './FailedActions.module.css';

interface FailedActionsProps {
  entry: Pick<MessageEntry, 'clientId' | 'failReason'>;
  /** Whether Tab reaches the actions. */
  isTabStop: boolean;
}

/** The actions for a message that the server rejected. */
export function FailedActions({ entry, isTabStop }: FailedActionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { clientId, failReason } = entry;
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <div className={css.actions} role="alert">
      <span>{t(failReason ? 'forward.originalDeleted' : 'message.failed')}</span>
      <span className={css.buttons}>
        {!failReason && (
          <button type="button" tabIndex={tabIndex} onClick={() => client.retry(clientId)}>
            <RotateCw />
            {t('message.retry')}
          </button>
        )}
        <button type="button" tabIndex={tabIndex} onClick={() => client.discard(clientId)}>
          <Trash2 />
          {t('message.discard')}
        </button>
      </span>
    </div>
  );
}

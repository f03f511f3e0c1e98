import type { SessionInfo } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../format/use-date-format.ts';
import { Button } from '../../ui/Button.tsx';
import { SessionDetails, sessionName } from './SessionDetails.tsx';
import css from './SessionsSection.module.css';

interface SessionListItemProps {
  session: SessionInfo;
  isEnding: boolean;
  onEnd: () => void;
}

/** A session of the current user. */
export function SessionListItem({ session, isEnding, onEnd }: SessionListItemProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  return (
    <li className={css.session}>
      <SessionDetails session={session} />
      {!session.isCurrent && (
        <Button
          variant="ghost"
          isBusy={isEnding}
          aria-label={t('settings.sessionEndOf', {
            device: sessionName(session, t),
            date: format.inSentence(session.lastSeenAt),
          })}
          onClick={onEnd}
        >
          {t('settings.sessionEnd')}
        </Button>
      )}
    </li>
  );
}

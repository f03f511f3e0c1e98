import type { SessionInfo } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { RemoteContent } from '../../shared/screen/RemoteContent.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { SessionListItem } from './SessionListItem.tsx';
import css from './SessionsSection.module.css';
import { useSessions } from './use-sessions.ts';

/** The current user's sessions. All but the current session can be ended. */
export function SessionsSection() {
  const { t } = useTranslation();
  const { remote, ending, end, endOthers } = useSessions();
  return (
    <SettingsSection title={t('settings.sessions')} help={t('settings.sessionsHelp')}>
      <RemoteContent
        remote={remote}
        loadingText={t('settings.sessionsLoading')}
        failedText={t('settings.sessionsFailed')}
      >
        {(sessions) => (
          <>
            <ul className={css.list}>
              {sessions.map((session) => (
                <SessionListItem
                  key={session.id}
                  session={session}
                  isEnding={ending === session.id || (ending === 'others' && !session.isCurrent)}
                  onEnd={() => end(session.id)}
                />
              ))}
            </ul>
            {sessions.some(isOther) && (
              <Button
                variant="secondary"
                className={css.endOthers}
                isBusy={ending === 'others'}
                onClick={endOthers}
              >
                {t('settings.sessionEndOthers')}
              </Button>
            )}
          </>
        )}
      </RemoteContent>
    </SettingsSection>
  );
}

function isOther({ isCurrent }: SessionInfo): boolean {
  return !isCurrent;
}

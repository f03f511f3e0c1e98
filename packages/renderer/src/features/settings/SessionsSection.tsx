import type { SessionInfo } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { SessionListItem } from './SessionListItem.tsx';
import css from './SessionsSection.module.css';
import { useSessions } from './use-sessions.ts';

/** The current user's sessions. All but the current session can be ended. */
export function SessionsSection() {
  const { t } = useTranslation();
  const { sessions, ending, retry, end, endOthers } = useSessions();
  return (
    <SettingsSection title={t('settings.sessions')} help={t('settings.sessionsHelp')}>
      {sessions === 'loading' && <SessionsSkeleton label={t('settings.sessionsLoading')} />}
      {sessions === 'failed' && (
        <div role="alert" className={css.failed}>
          <p>{t('settings.sessionsFailed')}</p>
          <Button variant="secondary" onClick={retry}>
            {t('app.retry')}
          </Button>
        </div>
      )}
      {typeof sessions === 'object' && (
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
    </SettingsSection>
  );
}

function isOther({ isCurrent }: SessionInfo): boolean {
  return !isCurrent;
}

function SessionsSkeleton({ label }: { label: string }) {
  return (
    <div>
      <LoadingText label={label} />
      <Skeleton width="12rem" />
      <Skeleton width="18rem" />
    </div>
  );
}

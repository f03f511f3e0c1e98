import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import css from './FullPage.module.css';

/** The server did not answer before the first screen could be shown. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <main className={css.page}>
      <title>{t('app.name')}</title>
      <EmptyState
        role="alert"
        picture={<RobotLogo size={72} />}
        isPage
        title={t('app.startFailed')}
        text={t('app.startFailedHelp')}
        action={<Button onClick={onRetry}>{t('app.retry')}</Button>}
      />
    </main>
  );
}

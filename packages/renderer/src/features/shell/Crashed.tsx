import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import css from './FullPage.module.css';

/** A screen failed while it was drawn, or its code could not be fetched. */
export function Crashed() {
  const { t } = useTranslation();
  return (
    <main className={css.page}>
      <title>{t('app.name')}</title>
      <EmptyState
        role="alert"
        picture={<RobotLogo size={72} />}
        isPage
        title={t('app.crashed')}
        text={t('app.crashedHelp')}
        action={<Button onClick={() => location.reload()}>{t('app.reload')}</Button>}
      />
    </main>
  );
}

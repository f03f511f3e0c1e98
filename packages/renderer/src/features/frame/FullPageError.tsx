import { useTranslation } from 'react-i18next';
import css from './FullPageError.module.css';
import { ErrorState, type ErrorStateProps } from './ErrorState.tsx';

/** Replaces the whole application with an error. */
export function FullPageError(props: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <main className={css.page}>
      <title>{t('app.name')}</title>
      <ErrorState {...props} />
    </main>
  );
}

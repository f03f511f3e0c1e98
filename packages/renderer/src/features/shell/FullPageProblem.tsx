import { useTranslation } from 'react-i18next';
import css from './FullPage.module.css';
import { Problem, type ProblemProps } from './Problem.tsx';

/** What stands in for the whole application when it cannot be shown. */
export function FullPageProblem(props: ProblemProps) {
  const { t } = useTranslation();
  return (
    <main className={css.page}>
      <title>{t('app.name')}</title>
      <Problem {...props} />
    </main>
  );
}

import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { PATHS } from '../../navigation/paths.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import css from './NotFoundPage.module.css';
import { Television } from './Television.tsx';

/** The page for unknown paths. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isFirstEntry = useLocation().key === 'default';
  const main = useFocusOnNavigation<HTMLElement>();
  usePageTitle(t('notFound.title'));

  // A newly opened page may have no previous history entry, or one of another site.
  const goBack = (): void => {
    if (isFirstEntry && history.length <= 1) void navigate(PATHS.login, { replace: true });
    else void navigate(-1);
  };

  return (
    <main ref={main} tabIndex={-1} className={css.page}>
      <Television>
        <h1 className={css.screen}>
          <span className={css.title}>{t('notFound.title')}</span>
          <span className={css.code}>{t('notFound.code')}</span>
        </h1>
      </Television>
      <p className={css.text}>{t('notFound.text')}</p>
      <Button icon={<ArrowLeft />} onClick={goBack}>
        {t('notFound.back')}
      </Button>
    </main>
  );
}

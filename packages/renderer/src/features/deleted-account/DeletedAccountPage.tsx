import { useTranslation } from 'react-i18next';
import { PATHS } from '../../navigation/paths.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './DeletedAccountPage.module.css';

/** The page shown when the account was deleted on another device. */
export function DeletedAccountPage() {
  const { t } = useTranslation();
  usePageTitle(t('deletedAccount.title'));
  const main = useFocusOnNavigation<HTMLElement>();
  return (
    <main ref={main} tabIndex={-1} className={css.page}>
      <EmptyState
        mood="sad"
        isPage
        title={t('deletedAccount.title')}
        text={t('deletedAccount.text')}
        action={
          <div className={css.actions}>
            <LinkButton variant="secondary" to={PATHS.register}>
              {t('deletedAccount.register')}
            </LinkButton>
            <LinkButton to={PATHS.login}>{t('deletedAccount.toLogin')}</LinkButton>
          </div>
        }
      />
    </main>
  );
}

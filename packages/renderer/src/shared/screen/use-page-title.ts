import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useTotalUnread } from '../../client/client-context.ts';

/** Sets the page title, prefixed with the number of unread messages. */
export function usePageTitle(page: string): void {
  const { t } = useTranslation();
  const count = useTotalUnread();
  const title = t('app.pageTitle', { page });
  useEffect(() => {
    document.title = count > 0 ? t('app.unreadTitle', { count, title }) : title;
  }, [count, title, t]);
}

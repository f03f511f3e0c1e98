import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useTotalUnread } from '../../client/client-context.ts';

/** Names the screen in the browser's tab, with the count of unread messages before it. */
export function usePageTitle(page: string): void {
  const { t } = useTranslation();
  const count = useTotalUnread();
  const title = t('app.pageTitle', { page });
  useEffect(() => {
    document.title = count > 0 ? t('app.unreadTitle', { count, title }) : title;
  }, [count, title, t]);
}

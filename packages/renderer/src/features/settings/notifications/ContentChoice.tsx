import type { NotificationContent } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useHost } from '../../../host/host-context.ts';
import { RadioList } from '../../../ui/RadioList.tsx';
import css from './NotificationsSection.module.css';
import { useChangeNotifications } from './use-change-notifications.ts';

/** What notifications show. */
export function ContentChoice({ content }: { content: NotificationContent }) {
  const { t } = useTranslation();
  const { device } = useHost();
  const change = useChangeNotifications();
  return (
    <div className={css.group}>
      <RadioList<NotificationContent>
        label={t('notifications.content')}
        isLabelVisible
        value={content}
        onValueChange={(chosen) => change({ content: chosen })}
        options={[
          {
            value: 'none',
            label: t('notifications.contentNone'),
            help: t('notifications.contentNoneHelp'),
          },
          { value: 'who', label: t('notifications.contentWho') },
          { value: 'whoAndWhat', label: t('notifications.contentWhoAndWhat') },
        ]}
      />
      <p className={css.help}>
        {device ? t('notifications.contentHelpApp') : t('notifications.contentHelp')}
      </p>
    </div>
  );
}

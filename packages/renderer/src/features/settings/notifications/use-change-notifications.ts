import type { NotificationSettingsBody } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useFailureText } from '../../../failures/use-failure-text.ts';
import { toastError, toastSuccess } from '../../../ui/show-toast.ts';

/** Returns a function that changes settings of notifications and shows a toast with the result. */
export function useChangeNotifications(): (changed: NotificationSettingsBody) => void {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  const { notificationPreferences } = useClient();

  async function change(changed: NotificationSettingsBody): Promise<void> {
    try {
      await notificationPreferences.change(changed);
      toastSuccess(t('settings.updated'));
    } catch (error) {
      toastError(await withHelp(t('settings.failed'), error));
    }
  }

  return (changed) => void change(changed);
}

import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { useApi } from '../../../app/app-context.ts';
import { usePushStatus } from '../../../client/push-context.ts';
import { SettingsSection } from '../SettingsSection.tsx';
import { useRemote } from '../../../shared/screen/use-remote.ts';
import { ContentChoice } from './ContentChoice.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import { NotifiedDevices, type Devices } from './NotifiedDevices.tsx';
import { PauseRow } from './PauseRow.tsx';
import { QuietHoursFields } from './QuietHoursFields.tsx';
import { useDelivery } from './use-delivery.ts';

/** Notifications: what will happen on each device, what they say, and when it is quiet. */
export function NotificationsSection() {
  const { t } = useTranslation();
  const { notificationPreferences } = useClient();
  const api = useApi();
  const settings = useClientState('notificationSettings', (state) => state.settings);
  const { delivery, refresh } = useDelivery(settings);
  const remote = useRemote<Devices>(async () => {
    const [notifications, { sessions }] = await Promise.all([
      notificationPreferences.load(),
      api.call('listSessions'),
    ]);
    return { devices: notifications?.devices ?? [], sessions };
  });

  // Turning notifications on or off changes the list.
  const status = usePushStatus();
  const shown = useRef(status);
  const reload = useEffectEvent(remote.reload);
  useEffect(() => {
    if (status === shown.current || status === 'connecting') return;
    shown.current = status;
    void reload();
  }, [status]);

  return (
    <SettingsSection title={t('notifications.title')} help={t('notifications.help')}>
      <DeliveryRow settings={settings} delivery={delivery} onChange={refresh} />
      {settings && (
        <>
          <ContentChoice content={settings.content} />
          <QuietHoursFields saved={settings.quietHours} />
          <PauseRow pausedUntil={settings.pausedUntil} />
          <NotifiedDevices remote={remote} reach={delivery.reach} />
        </>
      )}
    </SettingsSection>
  );
}

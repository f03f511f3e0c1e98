import { Bell, BellOff, BellRing } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHost } from '../../host/host-context.ts';
import { Button } from '../../ui/Button.tsx';
import css from './Controls.module.css';
import { SettingRow } from './SettingsSection.tsx';

/** The notification setting of this device. Renders nothing if notifications are not supported. */
export function NotificationsRow() {
  const { t } = useTranslation();
  const host = useHost();
  const [state, setState] = useState(() => host.notificationState());
  // An installed app has its own section with more settings.
  if (state === 'unsupported' || host.device) return null;

  async function enable(): Promise<void> {
    setState(await host.requestNotifications());
  }

  const isDenied = state === 'denied';
  return (
    <SettingRow
      label={t('settings.notifications')}
      help={isDenied ? t('settings.notificationsDenied') : t('settings.notificationsHelp')}
    >
      <div className={css.state}>
        {state === 'not-asked' && (
          <Button
            variant="secondary"
            icon={<Bell aria-hidden="true" />}
            onClick={() => void enable()}
          >
            {t('settings.notificationsEnable')}
          </Button>
        )}
        {state === 'granted' && (
          <p className={css.on}>
            <BellRing aria-hidden="true" />
            {t('settings.notificationsOn')}
          </p>
        )}
        {isDenied && (
          <p className={css.off}>
            <BellOff aria-hidden="true" />
            {t('settings.notificationsOff')}
          </p>
        )}
      </div>
    </SettingRow>
  );
}

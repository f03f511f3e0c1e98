import type { DesktopPreferences } from '@parley/contract';
import { BellRing, Server, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSettings } from '../../host/host.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { toastError, toastInfo } from '../../ui/show-toast.ts';
import css from './DeviceSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';

/** The settings of the installed app. */
export function DeviceSection({ device }: { device: DeviceSettings }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(() => device.get());
  const { features } = device;

  async function change(changed: Partial<DesktopPreferences>): Promise<void> {
    try {
      setShown(await device.change(changed));
    } catch {
      toastError(t('settings.failed'));
    }
  }

  async function test(): Promise<void> {
    const outcome = await device.testNotification().catch(() => 'refused' as const);
    if (outcome === 'shown') toastInfo(t('settings.deviceTestShown'));
    else if (outcome === 'unsupported') toastError(t('settings.deviceTestUnsupported'));
    else toastError(t('settings.deviceTestRefused'));
  }

  const choices = [
    { name: 'notifications', label: t('settings.deviceNotifications'), isAvailable: true },
    {
      name: 'notificationContent',
      label: t('settings.deviceContent'),
      isAvailable: shown.notifications,
    },
    { name: 'microphone', label: t('settings.deviceMicrophone'), isAvailable: true },
    { name: 'closeToTray', label: t('settings.deviceTray'), isAvailable: features.tray },
    { name: 'startAtLogin', label: t('settings.deviceLogin'), isAvailable: features.startAtLogin },
    { name: 'startHidden', label: t('settings.deviceHidden'), isAvailable: features.tray },
    { name: 'updates', label: t('settings.deviceUpdates'), isAvailable: features.updates },
  ] as const;

  return (
    <SettingsSection title={t('settings.device')} help={t('settings.deviceHelp')}>
      <div className={css.choices}>
        {choices
          .filter(({ isAvailable }) => isAvailable)
          .map(({ name, label }) => (
            <Checkbox
              key={name}
              name={name}
              checked={shown[name]}
              onCheckedChange={(checked) => void change({ [name]: checked })}
            >
              {label}
            </Checkbox>
          ))}
      </div>
      <div className={css.actions}>
        <Button variant="secondary" icon={<BellRing />} onClick={() => void test()}>
          {t('settings.deviceTest')}
        </Button>
        {features.microphoneSettings && (
          <Button variant="secondary" icon={<Settings2 />} onClick={device.openMicrophoneSettings}>
            {t('settings.deviceMicrophoneSystem')}
          </Button>
        )}
        <Button variant="secondary" icon={<Server />} onClick={device.manageServers}>
          {t('settings.deviceServers')}
        </Button>
      </div>
    </SettingsSection>
  );
}

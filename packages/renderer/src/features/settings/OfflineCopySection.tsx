import { useTranslation } from 'react-i18next';
import { useSettings } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** The setting for storing chats on this device. */
export function OfflineCopySection() {
  const { t } = useTranslation();
  const { device } = useHost();
  const { isOfflineCopyEnabled, setOfflineCopyEnabled } = useSettings((state) => state);
  return (
    <SettingsSection
      title={t('settings.copy')}
      help={device ? t('settings.copyHelpDesktop') : t('settings.copyHelp')}
    >
      <Checkbox
        name="keepsCopy"
        checked={isOfflineCopyEnabled}
        onCheckedChange={setOfflineCopyEnabled}
      >
        {t('settings.copyKeep')}
      </Checkbox>
    </SettingsSection>
  );
}

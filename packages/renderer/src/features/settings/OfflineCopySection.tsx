import { useTranslation } from 'react-i18next';
import { useSettings } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** The setting that stores chats on this device. */
export function OfflineCopySection() {
  const { t } = useTranslation();
  const { device } = useHost();
  const { keepsCopy, setKeepsCopy } = useSettings((state) => state);
  return (
    <SettingsSection
      title={t('settings.copy')}
      help={device ? t('settings.copyHelpDesktop') : t('settings.copyHelp')}
    >
      <Checkbox name="keepsCopy" checked={keepsCopy} onCheckedChange={setKeepsCopy}>
        {t('settings.copyKeep')}
      </Checkbox>
    </SettingsSection>
  );
}

import type { Volume } from '@parley/contract';
import { Volume1, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore, useUser } from '../../app/app-context.ts';
import { SettingChoice, SettingsSection } from './SettingsSection.tsx';
import { useOptimisticSetting } from '../../shared/settings/use-optimistic-setting.ts';

/** The volume, which is stored in the account. */
export function SoundSection() {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  const { volume } = useUser();

  const { shown, change } = useOptimisticSetting<Volume>(volume, async (requested) => {
    const response = await api.call('changeVolume', { body: { volume: requested } });
    session.getState().changeSettings({ volume: response.volume });
  });

  return (
    <SettingsSection title={t('settings.sound')}>
      <SettingChoice
        label={t('settings.volume')}
        help={t('settings.volumeHelp')}
        value={shown}
        onValueChange={change}
        options={[
          { value: 'silent', label: t('settings.volumeSilent'), icon: <VolumeX /> },
          { value: 'middle', label: t('settings.volumeMiddle'), icon: <Volume1 /> },
          { value: 'full', label: t('settings.volumeLoud'), icon: <Volume2 /> },
        ]}
      />
    </SettingsSection>
  );
}

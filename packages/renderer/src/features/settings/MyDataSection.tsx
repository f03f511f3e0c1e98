import { useTranslation } from 'react-i18next';
import { ExportControl } from '../../shared/exports/ExportControl.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** The archives that the user makes of everything, or of chats. */
export function MyDataSection() {
  const { t } = useTranslation();
  return (
    <SettingsSection title={t('data.title')} help={t('data.help')}>
      <ExportControl />
    </SettingsSection>
  );
}

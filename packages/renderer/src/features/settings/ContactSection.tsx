import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { RadioList } from '../../ui/RadioList.tsx';
import css from './ContactSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';
import { useAccountSetting } from './use-account-setting.ts';

/** Who may write to the user for the first time, and whether others find the user. */
export function ContactSection() {
  const { t } = useTranslation();
  const writing = useAccountSetting('whoMayWrite');
  const finding = useAccountSetting('isDiscoverable');

  return (
    <SettingsSection title={t('settings.whoMayWrite')}>
      <RadioList
        label={t('settings.whoMayWrite')}
        value={writing.shown}
        onValueChange={writing.change}
        options={[
          { value: 'everyone', label: t('settings.everyone') },
          {
            value: 'requests',
            label: t('settings.requests'),
            help: t('settings.requestsHelp'),
          },
          { value: 'invited', label: t('settings.invited') },
          { value: 'nobody', label: t('settings.nobody'), help: t('settings.nobodyHelp') },
        ]}
      />
      <div className={css.discoverable}>
        <Checkbox
          name="isDiscoverable"
          checked={finding.shown}
          onCheckedChange={finding.change}
          help={t('settings.discoverableHelp')}
        >
          {t('settings.discoverable')}
        </Checkbox>
      </div>
    </SettingsSection>
  );
}

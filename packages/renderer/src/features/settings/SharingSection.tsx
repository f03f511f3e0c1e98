import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/Checkbox.tsx';
import css from './SharingSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';
import { useAccountSetting } from './use-account-setting.ts';

/** What a user shares with the partners in accepted chats, and only then learns about them. */
const SHARED = ['sharesReceipts', 'sharesTyping', 'sharesPresence'] as const;

type Shared = (typeof SHARED)[number];

/** What the user shares with the partners in chats. */
export function SharingSection() {
  const { t } = useTranslation();
  return (
    <SettingsSection title={t('settings.sharing')} help={t('settings.sharingHelp')}>
      <div className={css.switches}>
        {SHARED.map((name) => (
          <SharingSwitch key={name} name={name} />
        ))}
      </div>
    </SettingsSection>
  );
}

function SharingSwitch({ name }: { name: Shared }) {
  const { t } = useTranslation();
  const { shown, change } = useAccountSetting(name);
  return (
    <Checkbox name={name} checked={shown} onCheckedChange={change} help={t(`settings.${name}Help`)}>
      {t(`settings.${name}`)}
    </Checkbox>
  );
}

import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore, useUser } from '../../app/app-context.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import css from './SharingSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';
import { useOptimisticSetting } from './use-optimistic-setting.ts';

/** What a user shares with the partners in accepted chats, and only then learns about them. */
const SHARED = ['sharesReceipts', 'sharesTyping', 'sharesPresence'] as const;

type Shared = (typeof SHARED)[number];

/** What the user shares with the partners in chats. Older servers do not support all of it. */
export function SharingSection() {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <SettingsSection title={t('settings.sharing')} help={t('settings.sharingHelp')}>
      <div className={css.switches}>
        {SHARED.map((name) => {
          const isShared = user[name];
          return isShared === undefined ? null : (
            <SharingSwitch key={name} name={name} isShared={isShared} />
          );
        })}
      </div>
    </SettingsSection>
  );
}

function SharingSwitch({ name, isShared }: { name: Shared; isShared: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  const setting = useOptimisticSetting<boolean>(isShared, async (requested) => {
    const stored = await api.call('changePrivacy', { body: { [name]: requested } });
    session.getState().changeSettings(stored);
  });
  return (
    <Checkbox
      name={name}
      checked={setting.shown}
      onCheckedChange={setting.change}
      help={t(`settings.${name}Help`)}
    >
      {t(`settings.${name}`)}
    </Checkbox>
  );
}

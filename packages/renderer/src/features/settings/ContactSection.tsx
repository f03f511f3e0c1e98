import type { WhoMayWrite } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { RadioList } from '../../ui/RadioList.tsx';
import css from './ContactSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';
import { useOptimisticSetting } from './use-optimistic-setting.ts';

interface ContactSectionProps {
  whoMayWrite: WhoMayWrite;
  isDiscoverable: boolean;
}

/** Who may write to the user for the first time, and whether others find the user. */
export function ContactSection({ whoMayWrite, isDiscoverable }: ContactSectionProps) {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();

  const writing = useOptimisticSetting<WhoMayWrite>(whoMayWrite, async (requested) => {
    const stored = await api.call('changePrivacy', { body: { whoMayWrite: requested } });
    session.getState().changeSettings(stored);
  });
  const finding = useOptimisticSetting<boolean>(isDiscoverable, async (requested) => {
    const stored = await api.call('changePrivacy', { body: { isDiscoverable: requested } });
    session.getState().changeSettings(stored);
  });

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

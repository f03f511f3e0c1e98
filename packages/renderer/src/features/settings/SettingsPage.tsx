import { useTranslation } from 'react-i18next';
import { useHost } from '../../host/host-context.ts';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { useFreshUser } from '../../shared/screen/use-fresh-user.ts';
import { Card } from '../../ui/Card.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { BlockedSection } from './BlockedSection.tsx';
import { ContactSection } from './ContactSection.tsx';
import { DeleteAccountSection } from './DeleteAccountSection.tsx';
import { DeviceSection } from './DeviceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { InvitationsSection } from './InvitationsSection.tsx';
import { KeyboardSection } from './KeyboardSection.tsx';
import { MyDataSection } from './MyDataSection.tsx';
import { NotificationsSection } from './notifications/NotificationsSection.tsx';
import { OfflineCopySection } from './OfflineCopySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import css from './SettingsPage.module.css';
import { SharingSection } from './SharingSection.tsx';
import { SoundSection } from './SoundSection.tsx';

/** Heights of the sections in the skeleton. */
const SECTIONS = ['9rem', '4.5rem', '13rem'];

/** `/settings`: the settings of the account and of this device. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { device } = useHost();
  const { status, error, retry } = useFreshUser();
  return (
    <>
      <ScreenHeader title={t('settings.title')} backLabel={t('settings.back')} />
      <div className={css.page}>
        {status === 'loading' && <SettingsSkeleton label={t('settings.loading')} />}
        {status === 'failed' && (
          <LoadError title={t('settings.loadFailed')} error={error} onRetry={retry} />
        )}
        {status === 'ready' && (
          <>
            <AppearanceSection />
            <SoundSection />
            <KeyboardSection />
            <NotificationsSection />
            <ContactSection />
            <SharingSection />
            <InvitationsSection />
            <BlockedSection />
            {device && <DeviceSection device={device} />}
            <OfflineCopySection />
            <EmailSection />
            <PasswordSection />
            <SessionsSection />
            <MyDataSection />
            <DeleteAccountSection />
          </>
        )}
      </div>
    </>
  );
}

/** The skeleton of the settings. */
function SettingsSkeleton({ label }: { label: string }) {
  return (
    <>
      <LoadingText label={label} />
      {SECTIONS.map((height) => (
        <Card key={height}>
          <Skeleton width="8rem" />
          <Skeleton shape="box" height={height} />
        </Card>
      ))}
    </>
  );
}

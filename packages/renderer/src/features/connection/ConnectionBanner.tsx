import { DISCONNECT_NOTICE_DELAY_MS } from '@parley/client';
import { CloudOff, Wifi, WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { useClient, useClientState } from '../../client/client-context.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import { CertificateBanner } from './CertificateBanner.tsx';

/** Duration of the "connected again" banner in milliseconds. */
const RESTORED_DURATION = 3_000;

/** The banner for a lost, blocked or restored live connection. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const client = useClient();
  const { status, wasRestored, clearRestored } = useClientState('connection');
  const isCertificateRefused = useIsCertificateRefused();
  const isDisconnected = status === 'reconnecting' || status === 'offline';
  const isShown = useDelayed(isDisconnected, DISCONNECT_NOTICE_DELAY_MS);

  useEffect(() => {
    if (!wasRestored) return undefined;
    const timer = setTimeout(clearRestored, RESTORED_DURATION);
    return () => clearTimeout(timer);
  }, [wasRestored, clearRestored]);

  if (isCertificateRefused) return <CertificateBanner />;
  if (status === 'polling' || (isDisconnected && isShown)) {
    const Icon = status === 'offline' ? WifiOff : CloudOff;
    return (
      <Banner
        tone="warning"
        icon={<Icon aria-hidden="true" />}
        action={<BannerButton onClick={client.reconnect}>{t('connection.retry')}</BannerButton>}
      >
        {t(`connection.${status === 'polling' ? 'blocked' : status}`)}
      </Banner>
    );
  }
  if (!wasRestored) return null;
  return (
    <Banner tone="success" icon={<Wifi aria-hidden="true" />}>
      {t('connection.back')}
    </Banner>
  );
}

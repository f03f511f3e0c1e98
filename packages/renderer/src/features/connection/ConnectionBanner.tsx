import { DISCONNECT_NOTICE_DELAY_MS } from '@parley/client';
import { CloudOff, Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { useClient, useClientState } from '../../client/client-context.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';
import { CertificateBanner } from './CertificateBanner.tsx';

/** Duration of the "connected again" banner in milliseconds. */
const RESTORED_DURATION = 3_000;

/** The banner for a lost, blocked or restored live connection. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const client = useClient();
  const { status, wasRestored, disconnectedAt, clearRestored } = useClientState('connection');
  const isCertificateRefused = useIsCertificateRefused();
  const isNoticed = useIsNoticed(disconnectedAt);

  useEffect(() => {
    if (!wasRestored) return undefined;
    const timer = setTimeout(clearRestored, RESTORED_DURATION);
    return () => clearTimeout(timer);
  }, [wasRestored, clearRestored]);

  if (isCertificateRefused) return <CertificateBanner />;
  if (status === 'polling' || ((status === 'reconnecting' || status === 'offline') && isNoticed)) {
    const Icon = status === 'offline' ? WifiOff : CloudOff;
    return (
      <Banner
        tone="warning"
        icon={<Icon />}
        action={<BannerButton onClick={client.reconnect}>{t('connection.retry')}</BannerButton>}
      >
        {t(`connection.${status === 'polling' ? 'blocked' : status}`)}
      </Banner>
    );
  }
  if (!wasRestored) return null;
  return (
    <Banner tone="success" icon={<Wifi />}>
      {t('connection.back')}
    </Banner>
  );
}

/** Returns whether a disconnection has lasted long enough to be shown, also if it began on another screen. */
function useIsNoticed(disconnectedAt: number | undefined): boolean {
  const [noticed, setNoticed] = useState(() =>
    disconnectedAt !== undefined && remainingDelay(disconnectedAt) === 0
      ? disconnectedAt
      : undefined,
  );
  useEffect(() => {
    if (disconnectedAt === undefined) return undefined;
    const timer = setTimeout(() => setNoticed(disconnectedAt), remainingDelay(disconnectedAt));
    return () => clearTimeout(timer);
  }, [disconnectedAt]);
  return disconnectedAt !== undefined && noticed === disconnectedAt;
}

function remainingDelay(disconnectedAt: number): number {
  return Math.max(0, disconnectedAt + DISCONNECT_NOTICE_DELAY_MS - Date.now());
}

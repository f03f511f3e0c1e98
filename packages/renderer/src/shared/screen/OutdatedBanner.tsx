import { isServerReachable } from '@parley/client';
import { ServerCrash } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';
import { isOffline } from './load-error-text.ts';

interface OutdatedBannerProps {
  /** What could not be loaded. */
  text: string;
  /** The error of the last attempt; undefined if it succeeded. */
  error: unknown;
  onRetry: () => void;
}

/** Tells that shown content could not be loaded again. Without any connection, the banner of the app does. */
export function OutdatedBanner({ text, error, onRetry }: OutdatedBannerProps) {
  const { t } = useTranslation();
  const isReachable = useClientState('connection', isServerReachable);
  if (error === undefined || (!isReachable && isOffline(error))) return null;
  return (
    <Banner
      tone="warning"
      icon={<ServerCrash />}
      action={<BannerButton onClick={onRetry}>{t('app.retry')}</BannerButton>}
    >
      {text}
    </Banner>
  );
}

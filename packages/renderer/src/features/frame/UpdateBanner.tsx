import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNewVersionReady } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import { reloadPage } from '../../host/reload-page.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';

/** Offers to reload the page with a new version. Otherwise, the next start uses it. */
export function UpdateBanner() {
  const { t } = useTranslation();
  const host = useHost();
  const isReady = useIsNewVersionReady();
  const [isReloading, setIsReloading] = useState(false);
  if (!isReady) return null;
  const reload = (): void => {
    setIsReloading(true);
    reloadPage(host);
  };
  return (
    <Banner
      tone="info"
      icon={<RefreshCw />}
      action={
        <BannerButton isDisabled={isReloading} onClick={reload}>
          {t('app.reload')}
        </BannerButton>
      }
    >
      {t('app.newVersion')}
    </Banner>
  );
}

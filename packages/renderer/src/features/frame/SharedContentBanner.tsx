import { Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useUser } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';

/** Reminds of content that another app has shared and that still waits for a chat. */
export function SharedContentBanner() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { sharedContent } = useHost();
  const { username } = useUser();
  const [isWaiting, setIsWaiting] = useState(false);

  // The user may have chosen a chat, or left the screen without choosing one.
  useEffect(() => {
    if (pathname === PATHS.share) return undefined;
    let isCancelled = false;
    sharedContent?.list(username).then(
      (ids) => !isCancelled && setIsWaiting(ids.length > 0),
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [sharedContent, username, pathname]);

  if (!isWaiting || pathname === PATHS.share) return null;
  return (
    <Banner
      tone="info"
      icon={<Share2 />}
      action={
        <BannerButton onClick={() => void navigate(PATHS.share)}>{t('share.choose')}</BannerButton>
      }
    >
      {t('share.waiting')}
    </Banner>
  );
}

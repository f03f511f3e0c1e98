import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';

/** The banner for a rejected server certificate, with a button to review it. */
export function CertificateBanner() {
  const { t } = useTranslation();
  const { reviewCertificate } = useHost();
  const isCertificateRefused = useIsCertificateRefused();
  if (!isCertificateRefused || !reviewCertificate) return null;
  return (
    <Banner
      tone="warning"
      icon={<ShieldAlert />}
      action={
        <BannerButton onClick={reviewCertificate}>{t('connection.reviewCertificate')}</BannerButton>
      }
    >
      {t('connection.certificate')}
    </Banner>
  );
}

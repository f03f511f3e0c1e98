import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { loadErrorText, isOffline } from '../../shared/screen/load-error-text.ts';
import { FullPageError } from './FullPageError.tsx';

interface StartErrorProps {
  /** Why the server's facts are missing; the words follow from it. */
  error: unknown;
  onRetry: () => void;
  onReviewCertificate: (() => void) | undefined;
}

/** Nothing could be loaded from the server before the first screen could be shown. */
export function StartError({ error, onRetry, onReviewCertificate }: StartErrorProps) {
  const { t } = useTranslation();
  const isCertificateRefused = useIsCertificateRefused();
  if (isCertificateRefused && onReviewCertificate) {
    return (
      <FullPageError
        title={t('connection.certificate')}
        text={t('connection.certificateHelp')}
        action={t('connection.reviewCertificate')}
        onAction={onReviewCertificate}
      />
    );
  }
  return (
    <FullPageError
      title={isOffline(error) ? t('app.startFailed') : t('app.startRefused')}
      text={`${loadErrorText(t, error)} ${t('app.startFailedHelp')}`}
      action={t('app.retry')}
      onAction={onRetry}
    />
  );
}

import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { loadErrorText, isOffline } from '../../shared/screen/load-error-text.ts';
import { FullPageError } from './FullPageError.tsx';

interface StartErrorProps {
  /** The error of the start, which determines the text. */
  error: unknown;
  onRetry: () => void;
  onReviewCertificate: (() => void) | undefined;
}

/** The full-page error for start data that could not be loaded. */
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

import { useTranslation } from 'react-i18next';
import { useIsCertificateRefused } from '../../app/app-context.ts';
import { failureText, isOffline } from '../../shared/screen/failure-text.ts';
import { FullPageProblem } from './FullPageProblem.tsx';

interface StartFailedProps {
  /** Why the server's facts are missing; the words follow from it. */
  error: unknown;
  onRetry: () => void;
  onReviewCertificate: (() => void) | undefined;
}

/** Nothing could be loaded from the server before the first screen could be shown. */
export function StartFailed({ error, onRetry, onReviewCertificate }: StartFailedProps) {
  const { t } = useTranslation();
  const isCertificateRefused = useIsCertificateRefused();
  if (isCertificateRefused && onReviewCertificate) {
    return (
      <FullPageProblem
        title={t('connection.certificate')}
        text={t('connection.certificateHelp')}
        action={t('connection.reviewCertificate')}
        onAction={onReviewCertificate}
      />
    );
  }
  return (
    <FullPageProblem
      title={isOffline(error) ? t('app.startFailed') : t('app.startRefused')}
      text={`${failureText(t, error)} ${t('app.startFailedHelp')}`}
      action={t('app.retry')}
      onAction={onRetry}
    />
  );
}

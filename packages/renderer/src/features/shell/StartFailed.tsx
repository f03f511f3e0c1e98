import { useTranslation } from 'react-i18next';
import { FullPageProblem } from './FullPageProblem.tsx';

/** The server did not answer before the first screen could be shown. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <FullPageProblem
      title={t('app.startFailed')}
      text={t('app.startFailedHelp')}
      action={t('app.retry')}
      onAction={onRetry}
    />
  );
}

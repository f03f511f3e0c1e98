import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** A screen whose data could not be fetched, with another try. */
export function LoadFailed({ title, onRetry }: { title: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      role="alert"
      picture={<WifiOff size={40} aria-hidden="true" />}
      title={title}
      text={t('error.offline')}
      action={
        <Button variant="secondary" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  );
}

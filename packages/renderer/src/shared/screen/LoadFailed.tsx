import { RotateCw, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

interface LoadFailedProps {
  title: string;
  /** Below the title; by default, to check the connection. */
  text?: string;
  onRetry: () => void;
}

/** In the place of what could not be fetched, with another try. */
export function LoadFailed({ title, text, onRetry }: LoadFailedProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      role="alert"
      picture={<WifiOff size={40} aria-hidden="true" />}
      title={title}
      text={text ?? t('error.offline')}
      action={
        <Button variant="secondary" icon={<RotateCw aria-hidden="true" />} onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  );
}

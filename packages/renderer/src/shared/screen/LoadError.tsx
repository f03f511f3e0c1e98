import { RotateCw, ServerCrash, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { loadErrorText, isOffline } from './load-error-text.ts';

interface LoadErrorProps {
  title: string;
  /** Why it failed; the words follow from it. */
  error: unknown;
  /** What the user has to know besides. */
  note?: string;
  onRetry: () => void;
}

/** In the place of what could not be fetched, with another try. */
export function LoadError({ title, error, note, onRetry }: LoadErrorProps) {
  const { t } = useTranslation();
  const Icon = isOffline(error) ? WifiOff : ServerCrash;
  const text = loadErrorText(t, error);
  return (
    <EmptyState
      role="alert"
      illustration={<Icon size={40} aria-hidden="true" />}
      title={title}
      text={note === undefined ? text : `${text} ${note}`}
      action={
        <Button variant="secondary" icon={<RotateCw aria-hidden="true" />} onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  );
}

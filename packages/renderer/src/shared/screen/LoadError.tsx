import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { loadErrorText } from './load-error-text.ts';

interface LoadErrorProps {
  title: string;
  /** The error, which determines the text. */
  error: unknown;
  /** Additional text. */
  note?: string;
  onRetry: () => void;
}

/** Replaces content that could not be loaded with an error and a retry button. */
export function LoadError({ title, error, note, onRetry }: LoadErrorProps) {
  const { t } = useTranslation();
  const text = loadErrorText(t, error);
  return (
    <EmptyState
      role="alert"
      mood="sad"
      title={title}
      text={note === undefined ? text : `${text} ${note}`}
      action={
        <Button variant="secondary" icon={<RotateCw />} onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  );
}

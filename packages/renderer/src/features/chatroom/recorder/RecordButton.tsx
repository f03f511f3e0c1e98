import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useHost } from '../../../host/host-context.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError } from '../../../ui/toasts.ts';
import { microphoneProblem } from './microphone-problem.ts';

interface RecordButtonProps {
  onStart: () => void;
  isDisabled: boolean;
}

/** Starts a recording, or says why there can be none. */
export function RecordButton({ onStart, isDisabled }: RecordButtonProps) {
  const { t } = useTranslation();
  const host = useHost();
  const start = async (): Promise<void> => {
    const problem = microphoneProblem(await host.microphoneState(), t);
    if (problem === undefined) onStart();
    else toastError(problem);
  };
  return (
    <IconButton
      label={t('composer.record')}
      icon={<Mic aria-hidden="true" />}
      disabled={isDisabled}
      onClick={() => void start()}
    />
  );
}

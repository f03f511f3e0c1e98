import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useHost } from '../../../host/host-context.ts';
import { vibrate } from '../../../ui/haptics.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import { ignoreHeldKey } from './ignore-held-key.ts';
import { microphoneErrorText } from './microphone-error-text.ts';

interface RecordButtonProps {
  onStart: () => void;
  isDisabled: boolean;
}

/** A button that starts a recording, or shows why recording is not possible. */
export function RecordButton({ onStart, isDisabled }: RecordButtonProps) {
  const { t } = useTranslation();
  const host = useHost();
  const start = async (): Promise<void> => {
    const errorText = microphoneErrorText(await host.microphoneState(), t);
    if (errorText !== undefined) {
      toastError(errorText);
      return;
    }
    vibrate();
    onStart();
  };
  return (
    <IconButton
      label={t('composer.record')}
      icon={<Mic />}
      disabled={isDisabled}
      onKeyDown={ignoreHeldKey}
      onClick={() => void start()}
    />
  );
}

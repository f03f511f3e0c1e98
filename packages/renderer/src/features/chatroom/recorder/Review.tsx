import type { FileEntry } from '@parley/client';
import { SendHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { RecordingPlayer } from './RecordingPlayer.tsx';

interface ReviewProps {
  recorded: FileEntry;
  onSend: () => void;
  onDiscard: () => void;
}

/** The recorder's controls for a finished recording that the user has not sent. */
export function Review({ recorded, onSend, onDiscard }: ReviewProps) {
  const { t } = useTranslation();
  const { file, media } = recorded;
  return (
    <>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 />}
        onClick={onDiscard}
      />
      <RecordingPlayer src={file.previewUrl} media={media} />
      <IconButton
        label={t('recorder.send')}
        variant="own"
        icon={<SendHorizontal />}
        onClick={onSend}
      />
    </>
  );
}

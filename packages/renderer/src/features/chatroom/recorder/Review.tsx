import type { FileEntry } from '@parley/client';
import { SendHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { RecordingPlayer } from './RecordingPlayer.tsx';
import css from './Recorder.module.css';

interface ReviewProps {
  recorded: FileEntry;
  onSend: () => void;
  onDiscard: () => void;
}

/** The recorder's controls for a finished recording that is not sent yet. */
export function Review({ recorded, onSend, onDiscard }: ReviewProps) {
  const { t } = useTranslation();
  const { clientId, file, media, state } = recorded;
  const progress = useClientState('outbox', (outbox) => outbox.progress[clientId]);
  const isSending = state !== 'draft';
  return (
    <>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={onDiscard}
      />
      <RecordingPlayer src={file.previewUrl} media={media} />
      {isSending && (
        <output className={css.progress}>
          {progress === undefined
            ? t('message.waiting')
            : t('recorder.uploading', { percent: Math.round(progress * 100) })}
        </output>
      )}
      <IconButton
        label={t('recorder.send')}
        variant="own"
        icon={<SendHorizontal aria-hidden="true" />}
        disabled={isSending}
        onClick={onSend}
      />
    </>
  );
}

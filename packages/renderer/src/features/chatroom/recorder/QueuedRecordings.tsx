import type { FileEntry } from '@parley/client';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './Recorder.module.css';
import { RecordingPlayer } from './RecordingPlayer.tsx';

/** The recordings above the composer that are being uploaded or wait for the connection. */
export function QueuedRecordings({ recordings }: { recordings: readonly FileEntry[] }) {
  const { t } = useTranslation();
  return (
    <ul className={css.queue} aria-label={t('recorder.title')}>
      {recordings.map((recording) => (
        <QueuedRecording key={recording.clientId} recording={recording} />
      ))}
    </ul>
  );
}

function QueuedRecording({ recording }: { recording: FileEntry }) {
  const { t } = useTranslation();
  const client = useClient();
  const { clientId, file, media } = recording;
  const progress = useClientState('outbox', (outbox) => outbox.progress[clientId]);
  return (
    <li className={css.recorder}>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 />}
        onClick={() => client.discard(clientId)}
      />
      <RecordingPlayer src={file.previewUrl} media={media} />
      <output className={css.progress}>
        {progress === undefined
          ? t('message.waiting')
          : t('recorder.uploading', { percent: Math.round(progress * 100) })}
      </output>
    </li>
  );
}

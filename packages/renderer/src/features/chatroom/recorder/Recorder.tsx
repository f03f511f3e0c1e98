import { Mic, Pause, SendHorizontal, Square, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../api/api-context.ts';
import { ApiError } from '../../../api/client.ts';
import { uploadMedia } from '../../../api/media.ts';
import { formatDuration } from '../../../format/dates.ts';
import { useHost } from '../../../host/host-context.ts';
import { useChat } from '../../../realtime/current-chat.ts';
import { isPartnerDeleted, type Room } from '../../../stores/room.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError, toastInfo } from '../../../ui/toasts.ts';
import { LevelMeter } from './LevelMeter.tsx';
import { microphoneProblem, recordingProblem } from './microphone-problem.ts';
import css from './Recorder.module.css';
import type { Recorded, RecordingFailure } from './recording.ts';
import { Review } from './Review.tsx';
import { useRecorder } from './use-recorder.ts';

interface RecorderProps {
  room: Room;
  /** The recording was sent, discarded, or could not be made. */
  onDone: () => void;
}

/** The composer while a voice message is recorded, listened to and sent. */
export function Recorder({ room, onDone }: RecorderProps) {
  const { t } = useTranslation();
  const api = useApi();
  const chat = useChat();
  const host = useHost();
  const upload = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<number>();

  const onFailure = useCallback(
    (failure: RecordingFailure) => {
      const tell = async (): Promise<void> => {
        // The system may have refused where the browser did not.
        const problem =
          failure === 'denied' ? microphoneProblem(await host.microphoneState(), t) : undefined;
        toastError(problem ?? recordingProblem(failure, t));
        onDone();
      };
      void tell();
    },
    [host, onDone, t],
  );
  const { state, seconds, levels, pause, resume, stop } = useRecorder(onFailure, () =>
    toastInfo(t('recorder.tooLong')),
  );
  useEffect(() => () => upload.current?.abort(), []);

  const send = async (recorded: Recorded | undefined): Promise<void> => {
    if (!recorded || progress !== undefined) return;
    if (isPartnerDeleted(room)) {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
      onDone();
      return;
    }
    const abort = new AbortController();
    upload.current = abort;
    setProgress(0);
    try {
      const { url } = await uploadMedia(api, 'audio', recorded.blob, recorded.fileName, {
        onProgress: setProgress,
        signal: abort.signal,
      });
      chat.send(room.id, url);
      onDone();
    } catch (error) {
      if (abort.signal.aborted) return;
      setProgress(undefined);
      const isQuota = error instanceof ApiError && error.code === 'quota_media';
      toastError(t(isQuota ? 'composer.quotaMedia' : 'recorder.uploadFailed'));
    }
  };

  const isStarting = state.phase === 'starting';
  const isPaused = state.phase === 'paused';
  return (
    <section className={css.recorder} aria-label={t('recorder.title')}>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={onDone}
      />
      {state.phase === 'review' ? (
        <Review recorded={state.recorded} />
      ) : (
        <>
          <span className={css.time} data-paused={isPaused || undefined}>
            {isStarting ? t('recorder.starting') : formatDuration(seconds)}
          </span>
          <output className="visually-hidden">
            {isStarting
              ? t('recorder.starting')
              : isPaused
                ? t('recorder.pause')
                : t('recorder.recording')}
          </output>
          <LevelMeter levels={levels} />
          <IconButton
            label={isPaused ? t('recorder.resume') : t('recorder.pause')}
            icon={isPaused ? <Mic aria-hidden="true" /> : <Pause aria-hidden="true" />}
            disabled={isStarting}
            onClick={isPaused ? resume : pause}
          />
          <IconButton
            label={t('recorder.stop')}
            icon={<Square aria-hidden="true" />}
            disabled={isStarting}
            onClick={() => void stop()}
          />
        </>
      )}
      {progress !== undefined && (
        <output className={css.progress}>
          {t('recorder.uploading', { percent: Math.round(progress * 100) })}
        </output>
      )}
      <IconButton
        label={t('recorder.send')}
        variant="own"
        icon={<SendHorizontal aria-hidden="true" />}
        disabled={isStarting || progress !== undefined}
        onClick={() => {
          if (state.phase === 'review') void send(state.recorded);
          else void stop().then(send);
        }}
      />
    </section>
  );
}

import type { MediaInfo } from '@parley/contract';
import { Mic, Pause, SendHorizontal, Square, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../format/dates.ts';
import { useHost } from '../../../host/host-context.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { vibrate } from '../../../ui/haptics.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError, toastInfo } from '../../../ui/show-toast.ts';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { LevelMeter } from './LevelMeter.tsx';
import {
  interruptionText,
  microphoneErrorText,
  recordingErrorText,
} from './microphone-error-text.ts';
import { RecordingPlayer } from './RecordingPlayer.tsx';
import css from './Recorder.module.css';
import type { RecordingFailure } from './recording.ts';
import { useRecorder } from './use-recorder.ts';
import { canGoOn } from './watch-interruptions.ts';

interface LiveRecordingProps {
  /** Called with the finished recording. */
  onRecorded: (file: Blob, fileName: string, media: MediaInfo) => void;
  /** Called when the recording should be sent. */
  onSend: () => void;
  /** Called with the reason why the browser stopped recording by itself; without one when the recording goes on. */
  onInterrupted: (reason: string | undefined) => void;
  /** Called when the recording has finished, failed or was discarded. */
  onEnd: () => void;
}

/** The recorder's controls while recording. */
export function LiveRecording(props: LiveRecordingProps) {
  const { onRecorded, onSend, onInterrupted, onEnd } = props;
  const { t } = useTranslation();
  const host = useHost();

  const handleFailure = useCallback(
    (failure: RecordingFailure) => {
      const showError = async (): Promise<void> => {
        // The system may have denied access although the browser allowed it.
        const errorText =
          failure === 'denied' ? microphoneErrorText(await host.microphoneState(), t) : undefined;
        toastError(errorText ?? recordingErrorText(failure, t));
        onEnd();
      };
      void showError();
    },
    [host, onEnd, t],
  );
  const { phase, seconds, levels, preview, pause, resume, stop, discard } = useRecorder({
    onFailure: handleFailure,
    onInterruption: (interruption, isKept) => {
      if (canGoOn(interruption) || interruption === 'failed') {
        if (isKept) onInterrupted(interruptionText(interruption, t));
        else handleFailure('missing');
        return;
      }
      const showReason = async (): Promise<void> => {
        const state = await host.microphoneState();
        const isWithdrawn = state !== 'available' && state !== 'no-device';
        if (isKept) onInterrupted(interruptionText(isWithdrawn ? 'withdrawn' : 'ended', t));
        else handleFailure(isWithdrawn ? 'denied' : 'no-device');
      };
      void showReason();
    },
    onResume: () => onInterrupted(undefined),
    onLimit: () => toastInfo(t('recorder.tooLong')),
    onRecorded: ({ blob, fileName }, media) => {
      onRecorded(blob, fileName, media);
      onEnd();
    },
  });
  const isStarting = phase === 'starting';
  const isPaused = phase === 'paused';
  const [isAsking, setIsAsking] = useState(false);
  const discardAndEnd = (): void => {
    discard();
    onEnd();
  };
  const leave = (): void => {
    if (isStarting) {
      discardAndEnd();
      return;
    }
    // Paused, so that nothing more is recorded while the user decides.
    if (!isPaused) pause();
    setIsAsking(true);
  };
  useCloseOnBack(!isAsking, leave, { isInline: true });
  const stopAndSend = (): void => {
    // The button is not disabled, as it would lose the focus.
    if (isStarting) return;
    vibrate();
    const finish = async (): Promise<void> => {
      if (await stop()) onSend();
    };
    void finish();
  };

  return (
    <>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 />}
        onClick={discardAndEnd}
      />
      <output className="visually-hidden">
        {isStarting
          ? t('recorder.starting')
          : isPaused
            ? t('recorder.paused')
            : t('recorder.recording')}
      </output>
      {preview === undefined ? (
        <>
          <span className={css.time} data-paused={isPaused || undefined}>
            {isStarting ? t('recorder.starting') : formatDuration(seconds)}
          </span>
          <LevelMeter levels={levels} />
        </>
      ) : (
        <RecordingPlayer src={preview.url} media={preview.media} className={css.above} />
      )}
      <IconButton
        label={isPaused ? t('recorder.resume') : t('recorder.pause')}
        icon={isPaused ? <Mic /> : <Pause />}
        disabled={isStarting}
        onClick={isPaused ? resume : pause}
      />
      {/* Covers the place of the button that started the recording, so that another press there stops it. */}
      <IconButton
        label={isPaused ? t('recorder.send') : t('recorder.stop')}
        variant="own"
        icon={
          <>
            {!isPaused && <Square />}
            <SendHorizontal />
          </>
        }
        className={css.stop}
        aria-disabled={isStarting || undefined}
        data-stops-recording
        onClick={stopAndSend}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('recordingLeft.title')}
        text={t('recordingLeft.text')}
        confirmLabel={t('recorder.discard')}
        cancelLabel={t('recordingLeft.keep')}
        onConfirm={discardAndEnd}
        danger
      />
    </>
  );
}

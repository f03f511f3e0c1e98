import type { Room } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { uploadFailure } from '../upload-failure.ts';
import { useRoomMediaDrafts } from '../use-room-media-drafts.ts';
import { LiveRecording } from './LiveRecording.tsx';
import css from './Recorder.module.css';
import { Review } from './Review.tsx';

interface RecorderProps {
  room: Room;
  /** Whether the microphone is wanted; otherwise there is a recording to hear and to send. */
  isRecording: boolean;
  /** The microphone is not needed any more. */
  onEnd: () => void;
}

/** The composer while a voice message is recorded, listened to and sent. */
export function Recorder({ room, isRecording, onEnd }: RecorderProps) {
  const { t } = useTranslation();
  const { drafts, keep, send, discard } = useRoomMediaDrafts(
    'audio',
    room.id,
    (error) => uploadFailure(error, t) ?? t('recorder.uploadFailed'),
  );
  const [draft] = drafts;
  const onSend = (): void => void send();

  return (
    <section
      key={isRecording ? 'live' : 'review'}
      ref={takeLostFocus}
      tabIndex={-1}
      className={css.recorder}
      aria-label={t('recorder.title')}
    >
      {isRecording ? (
        <LiveRecording onRecorded={keep} onSend={onSend} onEnd={onEnd} />
      ) : (
        draft && <Review draft={draft} onSend={onSend} onDiscard={() => discard(draft.file)} />
      )}
    </section>
  );
}

/**
 * The button that was pressed is gone. Who uses the keyboard goes on from the one in its place: the
 * key that started a recording stops it.
 */
function takeLostFocus(bar: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const next = bar?.querySelector<HTMLElement>('[data-stops-recording]') ?? bar;
  next?.focus({ preventScroll: true });
}

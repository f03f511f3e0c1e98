import type { Room } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';
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
  const client = useClient();
  const [recorded] = useUnsentFiles('audio', room.id);
  const handleSend = (): void => client.sendMedia('audio', room.id);

  return (
    <section
      key={isRecording ? 'live' : 'review'}
      ref={takeLostFocus}
      tabIndex={-1}
      className={css.recorder}
      aria-label={t('recorder.title')}
    >
      {isRecording ? (
        <LiveRecording
          onRecorded={(file, fileName, media) =>
            client.addMedia('audio', room.id, file, fileName, media)
          }
          onSend={handleSend}
          onEnd={onEnd}
        />
      ) : (
        recorded && (
          <Review
            recorded={recorded}
            onSend={handleSend}
            onDiscard={() => client.discard(recorded.clientId)}
          />
        )
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

import type { FileEntry, LoadedChatroom } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useDraft } from '../use-draft.ts';
import { ignoreHeldKey } from './ignore-held-key.ts';
import { LiveRecording } from './LiveRecording.tsx';
import css from './Recorder.module.css';
import { Review } from './Review.tsx';

interface RecorderProps {
  room: LoadedChatroom;
  /** Whether the microphone is in use. Otherwise, there is a recording to review and send. */
  isRecording: boolean;
  recorded: FileEntry | undefined;
  /** Called when the microphone is no longer needed. */
  onEnd: () => void;
}

/** Replaces the composer while a voice message is recorded and reviewed. */
export function Recorder({ room, isRecording, recorded, onEnd }: RecorderProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [{ replyTo }, changeDraft] = useDraft(room.id);
  const [interruption, setInterruption] = useState<{ reason: string; count: number }>();
  const handleSend = (): void => {
    client.sendMedia('audio', room.id, replyTo);
    changeDraft({ replyTo: undefined });
  };

  return (
    <>
      {interruption && (
        // Screen readers also read the same reason again.
        <p key={interruption.count} className={css.reason} role="alert">
          {interruption.reason}
        </p>
      )}
      <div role="presentation" onKeyDown={ignoreHeldKey}>
        <section
          key={isRecording ? 'live' : 'review'}
          ref={restoreFocus}
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
              onInterrupted={(reason) => {
                setInterruption((last) =>
                  reason === undefined ? undefined : { reason, count: (last?.count ?? 0) + 1 },
                );
              }}
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
      </div>
    </>
  );
}

/**
 * Moves the focus after the pressed button was removed. The stop button gets it, so that the key that started a
 * recording also stops it.
 */
function restoreFocus(bar: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const next = bar?.querySelector<HTMLElement>('[data-stops-recording]') ?? bar;
  next?.focus({ preventScroll: true });
}

import type { Message } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { spokenText } from '../format/spoken-text.ts';

/** Says new messages of others to assistive technology, wherever the reader is. */
export function NewMessageAnnouncer({ message }: { message: Message | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('room.announced')}>
      {message && (
        <p key={message._id}>
          {t('room.announcement', { name: message.sender.username, text: spokenText(message, t) })}
        </p>
      )}
    </div>
  );
}

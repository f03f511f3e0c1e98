import { useTranslation } from 'react-i18next';
import { spokenText } from '../format/spoken-text.ts';
import type { Incoming } from './attention.ts';

/** Says new messages of others to assistive technology, wherever the reader is. */
export function NewMessageAnnouncer({ incoming }: { incoming: Incoming | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('room.announced')}>
      {incoming && (
        <p key={incoming.key}>
          {t('room.announcement', { name: incoming.name, text: spokenText(incoming, t) })}
        </p>
      )}
    </div>
  );
}

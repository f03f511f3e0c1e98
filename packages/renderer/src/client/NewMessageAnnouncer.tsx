import type { IncomingMessage } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { messagePlainText } from '../format/message-plain-text.ts';

/** Announces incoming messages to assistive technology on every screen. */
export function NewMessageAnnouncer({ incoming }: { incoming: readonly IncomingMessage[] }) {
  const { t } = useTranslation();
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('room.announced')}>
      {incoming.map((each) => (
        <p key={each.key}>
          {each.isRequest
            ? t('request.notification', { name: each.name })
            : t('room.announcement', { name: each.name, text: messagePlainText(each, t) })}
        </p>
      ))}
    </div>
  );
}

import type { IncomingMessage } from '@parley/client';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { messagePlainText } from '../format/message-plain-text.ts';

/** Announces incoming messages to assistive technology on every screen. */
export function NewMessageAnnouncer({ incoming }: { incoming: readonly IncomingMessage[] }) {
  const { t } = useTranslation();
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('room.announced')}>
      {incoming.map((each) => (
        <p key={each.key}>{announcementOf(each, t)}</p>
      ))}
    </div>
  );
}

function announcementOf(incoming: IncomingMessage, t: TFunction): string {
  const { name, isRequest, isInvitation } = incoming;
  if (isRequest) return t('request.notification', { name });
  if (isInvitation) return t('chatList.invitationAccepted', { name });
  return t('room.announcement', { name, text: messagePlainText(incoming, t) });
}

import type { PartnerPresence } from '@parley/contract';
import type { LoadedChatroom } from '@parley/client';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { formatDate } from '../../format/dates.ts';
import { describeLastSeen } from '../../format/last-seen.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import css from './PartnerStatus.module.css';

/** What the partner is doing, or when they were last online, below their name. Nothing if it is not known. */
export function PartnerStatus({ room }: { room: LoadedChatroom }) {
  const { t } = useTranslation();
  const isTyping = useClientState('activity', ({ typing }) => typing.has(room.id));
  const presence = useClientState('activity', (state) => state.presence[room.id]);
  if (isTyping) {
    return (
      <p className={css.status} data-status="typing">
        {t('room.typing')}
      </p>
    );
  }
  return presence === undefined ? null : <PresenceText presence={presence} />;
}

function PresenceText({ presence: { isOnline, lastSeenAt } }: { presence: PartnerPresence }) {
  const { t } = useTranslation();
  if (isOnline) {
    return (
      <p className={css.status} data-status="online">
        {t('room.online')}
      </p>
    );
  }
  return lastSeenAt === undefined ? null : (
    <LastSeenText key={lastSeenAt} lastSeenAt={lastSeenAt} />
  );
}

function LastSeenText({ lastSeenAt }: { lastSeenAt: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [now, setNow] = useState(() => new Date());
  const { shown, next } = describeLastSeen(lastSeenAt, now);
  const changesAt = now.getTime() + next;
  useEffect(() => {
    // Slightly late, as timers may run ahead of the clock.
    const timer = setTimeout(() => setNow(new Date()), changesAt - Date.now() + 100);
    return () => clearTimeout(timer);
  }, [changesAt]);
  const texts = {
    now: () => t('room.lastSeenNow'),
    today: () => t('room.lastSeenToday'),
    yesterday: () => t('room.lastSeenYesterday'),
    earlier: () => t('room.lastSeenOn', { date: formatDate(lastSeenAt, language) }),
  };
  return (
    <p className={css.status} data-status="last-seen">
      {shown.kind === 'minutes'
        ? t('room.lastSeenMinutes', { count: shown.minutes })
        : texts[shown.kind]()}
    </p>
  );
}

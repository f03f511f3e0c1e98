import type { PartnerPresence } from '@parley/contract';
import type { LoadedChatroom } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { describeLastSeen } from '../../format/last-seen.ts';
import { useNow } from '../../format/use-clock.ts';
import { useDateFormat } from '../../format/use-date-format.ts';
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
  return lastSeenAt === undefined ? null : <LastSeenText lastSeenAt={lastSeenAt} />;
}

function LastSeenText({ lastSeenAt }: { lastSeenAt: string }) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const shown = describeLastSeen(lastSeenAt, new Date(useNow()));
  const texts = {
    now: () => t('room.lastSeenNow'),
    today: () => t('room.lastSeenToday'),
    yesterday: () => t('room.lastSeenYesterday'),
    earlier: () => t('room.lastSeenOn', { date: format.date(lastSeenAt) }),
  };
  return (
    <p className={css.status} data-status="last-seen">
      {shown.kind === 'minutes'
        ? t('room.lastSeenMinutes', { count: shown.minutes })
        : texts[shown.kind]()}
    </p>
  );
}

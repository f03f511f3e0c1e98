import type { Room } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import css from './PartnerStatus.module.css';

/** What the partner is doing, below their name. Nothing if it is not known. */
export function PartnerStatus({ room }: { room: Room }) {
  const { t } = useTranslation();
  const isTyping = useClientState('activity', ({ typing }) => typing.has(room.id));
  if (!isTyping) return null;
  return (
    <p className={css.status} data-status="typing">
      {t('room.typing')}
    </p>
  );
}

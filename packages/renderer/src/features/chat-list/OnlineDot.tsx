import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import css from './OnlineDot.module.css';

/** A dot at the avatar of a partner who is online. */
export function OnlineDot({ chatroomId }: { chatroomId: string }) {
  const { t } = useTranslation();
  const isOnline = useClientState('activity', ({ presence }) => presence[chatroomId]?.isOnline);
  if (isOnline !== true) return null;
  return (
    <span className={css.dot} data-online>
      <span className="visually-hidden">{t('room.online')}</span>
    </span>
  );
}

import { useTranslation } from 'react-i18next';
import { Avatar } from '../../../ui/Avatar.tsx';
import css from './ChatroomStart.module.css';

/** The introduction above the first message of a room. */
export function ChatroomStart({
  partnerName,
  isPartnerDeleted,
}: {
  partnerName: string;
  isPartnerDeleted: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className={css.start}>
      <Avatar name={isPartnerDeleted ? undefined : partnerName} size={96} />
      <p dir="auto">
        {isPartnerDeleted ? t('room.startDeleted') : t('room.start', { name: partnerName })}
      </p>
    </div>
  );
}

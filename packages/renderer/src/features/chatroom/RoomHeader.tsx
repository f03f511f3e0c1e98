import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../shared/screen/BackLink.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import css from './RoomHeader.module.css';

/** The header of a chatroom with the partner's name and the back link. `partnerName` is undefined until it is known. */
export function RoomHeader({
  partnerName,
  isDeleted = false,
}: {
  partnerName: string | undefined;
  isDeleted?: boolean;
}) {
  const { t } = useTranslation();
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <header className={css.header} data-screen-header>
      <BackLink label={t('room.back')} icon={<ArrowLeft aria-hidden="true" />} />
      <h1
        ref={heading}
        tabIndex={-1}
        className={css.name}
        dir="auto"
        data-deleted={isDeleted || undefined}
      >
        {isDeleted ? t('room.deletedName') : (partnerName ?? '')}
      </h1>
      <Avatar name={isDeleted ? undefined : partnerName} size={40} />
    </header>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../shared/screen/BackLink.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import css from './ChatroomHeader.module.css';

/** The header of a chatroom with the partner's name, the back link and the menu. `partnerName` is undefined until it is known. */
export function ChatroomHeader({
  partnerName,
  isDeleted = false,
  status,
  menu,
}: {
  partnerName: string | undefined;
  isDeleted?: boolean;
  /** The line below the name. */
  status?: ReactNode;
  menu?: ReactNode;
}) {
  const { t } = useTranslation();
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <header className={css.header} data-screen-header>
      <BackLink label={t('room.back')} />
      <div className={css.title}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={css.name}
          dir="auto"
          data-deleted={isDeleted || undefined}
        >
          {isDeleted ? t('room.deletedName') : (partnerName ?? '')}
        </h1>
        {status}
      </div>
      <div className={css.end}>
        <Avatar name={isDeleted ? undefined : partnerName} size={40} />
        {menu}
      </div>
    </header>
  );
}

import { useTranslation } from 'react-i18next';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './ChatroomSkeleton.module.css';

/** Widths of the messages in percent. Negative ones are on the user's side. */
const ROWS = [52, -38, -56, 30, 62, -24, 44] as const;

/** The skeleton of a chatroom. */
export function ChatroomSkeleton() {
  const { t } = useTranslation();
  return (
    <>
      <div className={css.messages}>
        <LoadingText label={t('room.loading')} isFloating />
        {ROWS.map((width) => (
          <Skeleton
            key={width}
            className={width < 0 ? css.own : undefined}
            shape="box"
            width={`${Math.abs(width)}%`}
            height="2.5rem"
          />
        ))}
      </div>
      <div className={css.composer}>
        <Skeleton shape="box" height="3.25rem" />
      </div>
    </>
  );
}

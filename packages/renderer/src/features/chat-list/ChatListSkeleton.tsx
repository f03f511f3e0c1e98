import { useTranslation } from 'react-i18next';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './ChatRow.module.css';

const ROWS = ['58%', '36%', '72%', '44%', '64%', '50%', '40%'];

/** The placeholder for the chat list while it loads. */
export function ChatListSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={css.skeletons}>
      <LoadingText label={t('chatList.loading')} isFloating />
      {ROWS.map((width) => (
        <div key={width} className={css.row}>
          <span className={css.avatar}>
            <Skeleton shape="avatar" width="3rem" height="3rem" />
          </span>
          <span className={css.rest}>
            <Skeleton width="40%" />
            <Skeleton width={width} />
          </span>
        </div>
      ))}
    </div>
  );
}

import { ArrowDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from './BottomButton.module.css';

interface BottomButtonProps {
  unread: number;
  /** Undefined until it is known. */
  isAtBottom: boolean | undefined;
  onClick: () => void;
}

/** A floating button that scrolls to the newest message and shows the unread count. Hidden at the bottom. */
export function BottomButton({ unread, isAtBottom, onClick }: BottomButtonProps) {
  const { t } = useTranslation();
  if (isAtBottom !== false) return null;
  if (unread > 0) {
    return (
      <button type="button" className={css.unread} onClick={onClick}>
        {t('room.unreadButton', { count: unread })}
        <ArrowDown aria-hidden="true" />
      </button>
    );
  }
  return (
    <button
      type="button"
      className={css.plain}
      aria-label={t('room.toBottom')}
      title={t('room.toBottom')}
      onClick={onClick}
    >
      <ArrowDown aria-hidden="true" />
    </button>
  );
}

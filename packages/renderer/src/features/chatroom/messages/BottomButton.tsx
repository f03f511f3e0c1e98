import { ArrowDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from './BottomButton.module.css';

interface BottomButtonProps {
  unread: number;
  /** Undefined while it is not known. */
  isAtBottom: boolean | undefined;
  onClick: () => void;
}

/** Floats over the messages while their end is out of sight: says how much is unread, leads to the newest. */
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

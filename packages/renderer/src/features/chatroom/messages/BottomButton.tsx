import { ArrowDown, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from './BottomButton.module.css';

interface BottomButtonProps {
  unread: number;
  /** Undefined until it is known. */
  isAtBottom: boolean | undefined;
  /** Goes back to the message from which the user has jumped, if any. */
  onBack: (() => void) | undefined;
  onClick: () => void;
}

/**
 * The floating buttons that go back after a jump, or scroll to the newest message and show the unread count. Hidden
 * at the bottom.
 */
export function BottomButton({ unread, isAtBottom, onBack, onClick }: BottomButtonProps) {
  const { t } = useTranslation();
  if (isAtBottom !== false) return null;
  const back = onBack && (
    <button
      type="button"
      className={css.plain}
      aria-label={t('reply.back')}
      title={t('reply.back')}
      onClick={onBack}
    >
      <Undo2 />
    </button>
  );
  if (unread > 0) {
    return (
      <>
        <button type="button" className={css.unread} onClick={onClick}>
          {t('room.unreadButton', { count: unread })}
          <ArrowDown />
        </button>
        {back}
      </>
    );
  }
  if (back) return back;
  return (
    <button
      type="button"
      className={css.plain}
      aria-label={t('room.toBottom')}
      title={t('room.toBottom')}
      onClick={onClick}
    >
      <ArrowDown />
    </button>
  );
}

import { ArrowDown, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { WayBack } from '../jumps/use-chatroom-jumps.ts';
import css from './BottomButton.module.css';

interface BottomButtonProps {
  unread: number;
  /** Undefined until it is known. */
  isAtBottom: boolean | undefined;
  /** The way back to where the user has jumped from, if any. */
  wayBack: WayBack | undefined;
  onClick: () => void;
}

/**
 * The floating buttons that scroll to the newest message and show the unread count, and go back after a jump. Hidden
 * at the bottom.
 */
export function BottomButton({ unread, isAtBottom, wayBack, onClick }: BottomButtonProps) {
  const { t } = useTranslation();
  if (isAtBottom !== false) return null;
  const backLabel = t(wayBack?.isToReply === true ? 'reply.back' : 'room.toPlace');
  return (
    <>
      {unread > 0 && (
        <button type="button" className={css.unread} onClick={onClick}>
          {t('room.unreadButton', { count: unread })}
          <ArrowDown />
        </button>
      )}
      <div className={css.corner}>
        {wayBack && (
          <button
            type="button"
            className={css.plain}
            aria-label={backLabel}
            title={backLabel}
            onClick={wayBack.go}
          >
            <Undo2 />
          </button>
        )}
        {unread === 0 && (
          <button
            type="button"
            className={css.plain}
            aria-label={t('room.toBottom')}
            title={t('room.toBottom')}
            onClick={onClick}
          >
            <ArrowDown />
          </button>
        )}
      </div>
    </>
  );
}

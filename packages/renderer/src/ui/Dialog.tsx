import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { Button } from './Button.tsx';
import css from './ConfirmDialog.module.css';
import { useCloseOnBack } from './use-close-on-back.ts';
import { useFinalFocus } from './use-final-focus.ts';

interface DialogProps {
  onClose: () => void;
  title: string;
  text?: string;
  children: ReactNode;
  /** The label of the button below the content that closes it. */
  closeLabel: string;
  /** Ref of that button. */
  closeRef?: RefObject<HTMLButtonElement | null>;
  /** The button after it. */
  action?: ReactNode;
  /** The element to focus when it opens. Defaults to the first control. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** The element to focus when it closes. Defaults to the one that had the focus before. */
  finalFocus?: RefObject<HTMLElement | null> | undefined;
  /** Whether a click outside closes it, which must not lose what the user has entered. */
  isDismissible?: boolean;
  /** Whether a tap on a notification of its screen leaves it open, so that what the user has entered is kept. */
  keepsInput?: boolean;
}

/** An open dialog with any content. Escape closes it. */
export function Dialog({
  onClose,
  title,
  text,
  children,
  closeLabel,
  closeRef,
  action,
  initialFocus,
  finalFocus,
  isDismissible = false,
  keepsInput = false,
}: DialogProps) {
  useCloseOnBack(true, onClose, { isInline: keepsInput });
  const ending = useFinalFocus(finalFocus);
  return (
    <Base.Root
      open
      onOpenChange={(open) => !open && onClose()}
      disablePointerDismissal={!isDismissible}
    >
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Viewport className={css.viewport}>
          <Base.Popup className={css.popup} initialFocus={initialFocus} {...ending}>
            <Base.Title className={css.title}>{title}</Base.Title>
            {text !== undefined && (
              <Base.Description className={css.description}>{text}</Base.Description>
            )}
            {children}
            <footer className={css.footer}>
              <Button ref={closeRef} variant="secondary" onClick={onClose}>
                {closeLabel}
              </Button>
              {action}
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import css from './ConfirmDialog.module.css';
import { useCloseOnBack } from './use-close-on-back.ts';
import { useFinalFocus, type FinalFocus } from './use-final-focus.ts';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Full description of the consequences. */
  text: string;
  /** More content, below the text. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  onConfirm: () => void;
  /** Whether the action cannot be undone. */
  danger?: boolean;
  isBusy?: boolean;
  /** The element to focus when it closes. Defaults to the one that had the focus before. */
  finalFocus?: FinalFocus;
}

/** A confirmation dialog. Escape cancels, and the cancel button has the initial focus. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  text,
  children,
  confirmLabel,
  cancelLabel,
  onConfirm,
  danger = false,
  isBusy = false,
  finalFocus,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  useCloseOnBack(open, () => onOpenChange(false));
  const ending = useFinalFocus(finalFocus);
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={css.backdrop} />
        <AlertDialog.Viewport className={css.viewport}>
          <AlertDialog.Popup className={css.popup} initialFocus={cancel} {...ending}>
            <AlertDialog.Title className={css.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description className={css.description}>{text}</AlertDialog.Description>
            {children}
            <footer className={css.footer}>
              <AlertDialog.Close render={<Button ref={cancel} variant="secondary" />}>
                {cancelLabel}
              </AlertDialog.Close>
              <Button variant={danger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

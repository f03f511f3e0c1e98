import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import css from './Dialog.module.css';
import { IconButton } from './IconButton.tsx';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** What takes the focus when it opens; the first control otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A window above the page that keeps the focus inside and gives it back when it closes. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  initialFocus,
}: DialogProps) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Viewport className={css.viewport}>
          <Base.Popup className={css.popup} {...(initialFocus && { initialFocus })}>
            <header className={css.header}>
              <Base.Title className={css.title}>{title}</Base.Title>
              <Base.Close
                render={<IconButton label={t('ui.close')} icon={<X aria-hidden="true" />} />}
              />
            </header>
            {description !== undefined && (
              <Base.Description className={css.description}>{description}</Base.Description>
            )}
            {children}
            {footer !== undefined && <footer className={css.footer}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

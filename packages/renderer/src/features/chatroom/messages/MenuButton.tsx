import { Ellipsis } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageControls } from './menu/message-controls.ts';

export interface MenuButtonProps {
  className: string | undefined;
  isTabStop: boolean;
  isOpen: boolean;
  controls: MessageControls;
}

/** The button that opens the menu of a message. */
export function MenuButton({ className, isTabStop, isOpen, controls }: MenuButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={className}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={t('message.menu')}
      title={t('message.menu')}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={controls.toggleMenu}
    >
      <Ellipsis />
    </button>
  );
}

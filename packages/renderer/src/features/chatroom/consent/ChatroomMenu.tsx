import { Ban, Download, EllipsisVertical, Flag, Trash2 } from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';

interface ChatroomMenuProps {
  onExport: (opener: RefObject<HTMLElement | null>) => void;
  /** Opens the dialogs, which return the focus to the given button. Undefined if the partner's account is deleted. */
  onReport: ((opener: RefObject<HTMLElement | null>) => void) | undefined;
  /** Undefined if the partner is blocked already, too. */
  onBlock: ((opener: RefObject<HTMLElement | null>) => void) | undefined;
  /** Undefined for a quiet request, which has a button that deletes it. */
  onDelete: ((opener: RefObject<HTMLElement | null>) => void) | undefined;
  /** Items about the chat, above those about the partner. */
  children: ReactNode;
}

/** The menu in the header of a room. */
export function ChatroomMenu(props: ChatroomMenuProps) {
  const { onExport, onReport, onBlock, onDelete, children } = props;
  const { t } = useTranslation();
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu
      trigger={
        <IconButton
          ref={trigger}
          label={t('room.menu')}
          side="bottom"
          icon={<EllipsisVertical />}
        />
      }
    >
      {children}
      <MenuItem icon={<Download />} onClick={() => onExport(trigger)}>
        {t('room.export')}
      </MenuItem>
      {onReport && (
        <MenuItem icon={<Flag />} onClick={() => onReport(trigger)}>
          {t('room.report')}
        </MenuItem>
      )}
      {onBlock && (
        <MenuItem icon={<Ban />} onClick={() => onBlock(trigger)}>
          {t('room.block')}
        </MenuItem>
      )}
      {onDelete && (
        <MenuItem icon={<Trash2 />} danger onClick={() => onDelete(trigger)}>
          {t('chatMenu.delete')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}

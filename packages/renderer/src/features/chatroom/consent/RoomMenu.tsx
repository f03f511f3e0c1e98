import { Ban, EllipsisVertical, Flag } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';

interface RoomMenuProps {
  /** Opens the dialogs, which return the focus to the given button. */
  onReport: (opener: RefObject<HTMLElement | null>) => void;
  /** Undefined if the partner is blocked already. */
  onBlock: ((opener: RefObject<HTMLElement | null>) => void) | undefined;
}

/** The menu in the header of a room. */
export function RoomMenu({ onReport, onBlock }: RoomMenuProps) {
  const { t } = useTranslation();
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu
      trigger={
        <IconButton
          ref={trigger}
          label={t('room.menu')}
          side="bottom"
          icon={<EllipsisVertical aria-hidden="true" />}
        />
      }
    >
      <MenuItem icon={<Flag aria-hidden="true" />} onClick={() => onReport(trigger)}>
        {t('room.report')}
      </MenuItem>
      {onBlock && (
        <MenuItem icon={<Ban aria-hidden="true" />} onClick={() => onBlock(trigger)}>
          {t('room.block')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { MenuItem } from '../../../ui/DropdownMenu.tsx';
import { listPinned, stepPinned } from './pin-moves.ts';

/** The items of a chat's menu that move it among the pinned chats. */
export default function PinMoveItems({ chatroomId }: { chatroomId: string }) {
  const { t, i18n } = useTranslation();
  const client = useClient();
  const pinned = listPinned(useClientState('chats', ({ chats }) => chats));
  const place = pinned.findIndex(({ id }) => id === chatroomId);
  // Without its texts, which could not be loaded, an item would be unreadable.
  if (place < 0 || !i18n.exists('pins.moveUp')) return null;
  return (
    <>
      {place > 0 && (
        <MenuItem icon={<ArrowUp />} onClick={() => stepPinned(client, chatroomId, -1)}>
          {t('pins.moveUp')}
        </MenuItem>
      )}
      {place < pinned.length - 1 && (
        <MenuItem icon={<ArrowDown />} onClick={() => stepPinned(client, chatroomId, 1)}>
          {t('pins.moveDown')}
        </MenuItem>
      )}
    </>
  );
}

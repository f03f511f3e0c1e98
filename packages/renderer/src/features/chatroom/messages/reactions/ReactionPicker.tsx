import { Popover } from '@base-ui/react/popover';
import { useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiPopover } from '../../../../shared/input-bar/emoji/EmojiPopover.tsx';
import { useCloseOnBack } from '../../../../ui/use-close-on-back.ts';

/** The least height above or below a message for a picker that does not cover it, in pixels. */
const ROOM_MIN = 260;

interface ReactionPickerProps extends Pick<
  ComponentProps<typeof EmojiPopover>,
  'finalFocus' | 'onPick'
> {
  /** Returns the message that the picker is placed at. */
  anchor: () => Element | null;
  onClose: () => void;
}

/**
 * The picker with all emoji for a reaction. It is above, below or beside the message, and smaller if need be, but covers
 * a message that leaves it no space.
 */
export function ReactionPicker({ anchor, onPick, onClose, ...rest }: ReactionPickerProps) {
  const { t } = useTranslation();
  const [hasRoom] = useState(() => hasRoomFor(anchor()));
  useCloseOnBack(true, onClose);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <EmojiPopover
        {...rest}
        anchor={anchor}
        label={t('reaction.picker')}
        sideOffset={8}
        collisionAvoidance={{
          side: hasRoom ? 'flip' : 'shift',
          align: 'shift',
          fallbackAxisSide: 'end',
        }}
        onPick={(emoji) => {
          onPick(emoji);
          onClose();
        }}
      />
    </Popover.Root>
  );
}

/** Returns whether there is space for the picker above or below a message. */
function hasRoomFor(message: Element | null): boolean {
  if (!message) return true;
  const { top, bottom } = message.getBoundingClientRect();
  return Math.max(top, innerHeight - bottom) >= ROOM_MIN;
}

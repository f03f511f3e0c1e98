import { Popover } from '@base-ui/react/popover';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiPopover } from '../../../../shared/input-bar/emoji/EmojiPopover.tsx';
import { useCloseOnBack } from '../../../../ui/use-close-on-back.ts';

interface ReactionPickerProps extends Pick<
  ComponentProps<typeof EmojiPopover>,
  'finalFocus' | 'onPick'
> {
  /** The message that the picker is placed at. */
  anchor: ComponentProps<typeof EmojiPopover>['anchor'];
  onClose: () => void;
}

/** The picker with all emoji for a reaction. */
export function ReactionPicker({ onPick, onClose, ...rest }: ReactionPickerProps) {
  const { t } = useTranslation();
  useCloseOnBack(true, onClose);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <EmojiPopover
        {...rest}
        label={t('reaction.picker')}
        sideOffset={8}
        collisionAvoidance={{ side: 'shift', align: 'shift' }}
        onPick={(emoji) => {
          onPick(emoji);
          onClose();
        }}
      />
    </Popover.Root>
  );
}

import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { useIsWide } from '../../screen/use-is-wide.ts';
import { insertText } from '../insert-text.ts';
import { EmojiPopover } from './EmojiPopover.tsx';

/** A button that opens the emoji picker for a text box. Hidden on narrow screens, as phones have their own picker. */
export function EmojiButton({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useTranslation();
  const isWide = useIsWide();
  const [isOpen, setIsOpen] = useState(false);
  useCloseOnBack(isWide && isOpen, () => setIsOpen(false));
  if (!isWide) return null;
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger render={<IconButton label={t('composer.emoji')} icon={<Smile />} />} />
      <EmojiPopover
        label={t('composer.emoji')}
        align="start"
        sideOffset={12}
        // Escape returns the focus to the text box. A click outside moves the focus by itself.
        finalFocus={(closedBy) => closedBy === 'keyboard' && box.current}
        onPick={(emoji) => box.current && insertText(box.current, emoji)}
      />
    </Popover.Root>
  );
}

import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { lazy, Suspense, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../../ui/class-names.ts';
import { ExposedFocusGuards } from '../../../ui/ExposedFocusGuards.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { useIsWide } from '../../screen/use-is-wide.ts';
import css from './EmojiButton.module.css';
import { SilentErrorBoundary } from './SilentErrorBoundary.tsx';

const EmojiPanel = lazy(() => import('./EmojiPanel.tsx'));

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
      <Popover.Portal>
        <Popover.Positioner
          className={css.positioner}
          side="top"
          align="start"
          sideOffset={12}
          collisionPadding={8}
        >
          <Popover.Popup
            className={classNames('popup-transition', css.popup)}
            aria-label={t('composer.emoji')}
            // Escape returns the focus to the text box. A click outside moves the focus by itself.
            finalFocus={(closedBy) => closedBy === 'keyboard' && box.current}
          >
            <ExposedFocusGuards />
            <SilentErrorBoundary>
              <Suspense
                fallback={
                  <output className={css.loading}>
                    <Spinner />
                    {t('emoji.loading')}
                  </output>
                }
              >
                <EmojiPanel onPick={(emoji) => box.current && insertText(box.current, emoji)} />
              </Suspense>
            </SilentErrorBoundary>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/**
 * Inserts text at the cursor or replaces the selection as if the user had typed it. Undo works, and the field's
 * listeners are called.
 */
function insertText(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  // Only `execCommand` supports the browser's undo. Falls back to setting the text if it is not available.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text }));
}

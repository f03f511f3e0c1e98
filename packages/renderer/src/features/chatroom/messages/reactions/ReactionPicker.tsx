import { Popover } from '@base-ui/react/popover';
import { lazy, Suspense, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import emojiCss from '../../../../shared/input-bar/emoji/EmojiButton.module.css';
import { SilentErrorBoundary } from '../../../../shared/input-bar/emoji/SilentErrorBoundary.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { ExposedFocusGuards } from '../../../../ui/ExposedFocusGuards.tsx';
import { Spinner } from '../../../../ui/Spinner.tsx';
import { useCloseOnBack } from '../../../../ui/use-close-on-back.ts';
import css from './ReactionPicker.module.css';

const EmojiPanel = lazy(() => import('../../../../shared/input-bar/emoji/EmojiPanel.tsx'));

interface ReactionPickerProps {
  /** The message that the picker is placed at. */
  anchor: ComponentProps<typeof Popover.Positioner>['anchor'];
  finalFocus: ComponentProps<typeof Popover.Popup>['finalFocus'];
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** The picker with all emoji for a reaction. */
export function ReactionPicker({ anchor, finalFocus, onPick, onClose }: ReactionPickerProps) {
  const { t } = useTranslation();
  useCloseOnBack(true, onClose);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className={emojiCss.positioner}
          anchor={anchor}
          side="top"
          sideOffset={8}
          collisionPadding={8}
          collisionAvoidance={{ side: 'shift', align: 'shift' }}
        >
          <Popover.Popup
            className={classNames('popup-transition', emojiCss.popup)}
            aria-label={t('reaction.picker')}
            finalFocus={finalFocus}
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
                <EmojiPanel
                  onPick={(emoji) => {
                    onPick(emoji);
                    onClose();
                  }}
                />
              </Suspense>
            </SilentErrorBoundary>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

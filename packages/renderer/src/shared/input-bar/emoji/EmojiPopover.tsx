import { Popover } from '@base-ui/react/popover';
import { lazy, Suspense, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../../ui/class-names.ts';
import { ExposedFocusGuards } from '../../../ui/ExposedFocusGuards.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useFinalFocus, type FinalFocus } from '../../../ui/use-final-focus.ts';
import css from './EmojiPopover.module.css';
import { SilentErrorBoundary } from './SilentErrorBoundary.tsx';

const EmojiPanel = lazy(() => import('./EmojiPanel.tsx'));

interface EmojiPopoverProps extends Omit<ComponentProps<typeof Popover.Positioner>, 'className'> {
  label: string;
  finalFocus: FinalFocus;
  onPick: (emoji: string) => void;
}

/** The picker with all emoji, whose code is loaded on demand. Placed inside `Popover.Root`. */
export function EmojiPopover({ label, finalFocus, onPick, ...place }: EmojiPopoverProps) {
  const { t } = useTranslation();
  const ending = useFinalFocus(finalFocus);
  return (
    <Popover.Portal>
      <Popover.Positioner {...place} className={css.positioner} side="top" collisionPadding={8}>
        <Popover.Popup
          className={classNames('popup-transition', css.popup)}
          aria-label={label}
          {...ending}
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
              <EmojiPanel onPick={onPick} />
            </Suspense>
          </SilentErrorBoundary>
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  );
}

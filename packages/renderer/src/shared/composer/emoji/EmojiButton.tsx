import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useIsWide } from '../../screen/use-is-wide.ts';
import css from './EmojiButton.module.css';
import { NothingOnError } from './NothingOnError.tsx';

const EmojiPanel = lazy(() => import('./EmojiPanel.tsx'));

/** Opens the emoji picker above the composer, on wide screens only: phones have their own. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation();
  const isWide = useIsWide();
  const [isOpen, setIsOpen] = useState(false);
  if (!isWide) return null;
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger
        render={<IconButton label={t('composer.emoji')} icon={<Smile aria-hidden="true" />} />}
      />
      <Popover.Portal>
        <Popover.Positioner
          className={css.positioner}
          side="top"
          align="start"
          sideOffset={12}
          collisionPadding={8}
        >
          <Popover.Popup className={css.popup} aria-label={t('composer.emoji')} finalFocus={false}>
            <NothingOnError>
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
            </NothingOnError>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

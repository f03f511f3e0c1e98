import type { LoadedChatroom } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { toastSuccess } from '../../../ui/show-toast.ts';
import css from './ConsentBar.module.css';
import { useChatAction } from './use-chat-action.ts';

/** The bar that replaces the composer if the user has blocked the partner. */
export function BlockedBar({ room }: { room: LoadedChatroom }) {
  const { t } = useTranslation();
  const client = useClient();
  const unblock = useChatAction(() => client.unblock(room.id));
  const textId = useId();
  const { isOffline } = unblock;
  const name = room.partnerName;

  const run = async (): Promise<void> => {
    if (await unblock.run()) {
      toastSuccess(t('block.undone', { name }), { announcesNavigation: true });
    }
  };

  return (
    <section className={classNames(css.bar, css.last)} aria-label={t('block.label')}>
      <div className={css.card}>
        <p id={textId} className={css.text}>
          {t('block.bar', { name })} {isOffline && t('request.offline')}
        </p>
        <div className={css.buttons}>
          <Button
            variant="secondary"
            isDisabled={isOffline}
            aria-describedby={isOffline ? textId : undefined}
            isBusy={unblock.isBusy}
            onClick={() => void run()}
          >
            {t('settings.unblock')}
          </Button>
        </div>
      </div>
    </section>
  );
}

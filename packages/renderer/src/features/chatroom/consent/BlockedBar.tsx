import type { LoadedChatroom } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { toastSuccess } from '../../../ui/show-toast.ts';
import css from './ConsentBar.module.css';

/** The bar that replaces the composer if the user has blocked the partner. */
export function BlockedBar({ room }: { room: LoadedChatroom }) {
  const { t } = useTranslation();
  const client = useClient();
  const name = room.partnerName;

  const unblock = (): void => {
    client.unblock(room.id);
    toastSuccess(t('block.undone', { name }), { announcesNavigation: true });
  };

  return (
    <section className={classNames(css.bar, css.last)} aria-label={t('block.label')}>
      <div className={css.card}>
        <p className={css.text}>{t('block.bar', { name })}</p>
        <div className={css.buttons}>
          <Button variant="secondary" onClick={unblock}>
            {t('block.unblock')}
          </Button>
        </div>
      </div>
    </section>
  );
}

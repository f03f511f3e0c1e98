import type { LoadedChatroom } from '@parley/client';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { toastSuccess } from '../../../ui/show-toast.ts';
import css from './ConsentBar.module.css';

interface RequestBarProps {
  room: LoadedChatroom;
  /** Opens the dialog that blocks the partner. It returns the focus to the given button. */
  onBlock: (opener: RefObject<HTMLElement | null>) => void;
  /** Opens the dialog that reports the partner, likewise. */
  onReport: (opener: RefObject<HTMLElement | null>) => void;
}

/**
 * The bar above the composer while the partner is not accepted: accepts or blocks them. It also deletes a quiet request,
 * or reports a partner whose messages arrive like any others.
 */
export function RequestBar({ room, onBlock, onReport }: RequestBarProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const blockButton = useRef<HTMLButtonElement>(null);
  const reportButton = useRef<HTMLButtonElement>(null);
  const name = room.partnerName;
  const isQuiet = room.status === 'request';
  const text = isQuiet ? t('request.text', { name }) : t('request.undecided', { name });

  const decline = (): void => {
    client.decline(room.id);
    toastSuccess(t('request.deleted'), { announcesNavigation: true });
  };

  return (
    <section
      className={classNames('fade-in', css.bar)}
      aria-label={isQuiet ? t('request.label') : t('request.undecidedLabel')}
    >
      <div className={css.card}>
        <p className={css.text}>{text}</p>
        <div className={css.buttons}>
          <Button onClick={() => client.accept(room.id)}>{t('request.accept')}</Button>
          {isQuiet && (
            <Button variant="secondary" onClick={() => setIsConfirming(true)}>
              {t('request.delete')}
            </Button>
          )}
          <Button ref={blockButton} variant="secondary" onClick={() => onBlock(blockButton)}>
            {t('request.block')}
          </Button>
          {!isQuiet && (
            <Button ref={reportButton} variant="secondary" onClick={() => onReport(reportButton)}>
              {t('request.report')}
            </Button>
          )}
        </div>
      </div>
      {isConfirming && (
        <ConfirmDialog
          open
          onOpenChange={setIsConfirming}
          title={t('request.deleteTitle')}
          text={t('request.deleteText', { name })}
          confirmLabel={t('app.delete')}
          cancelLabel={t('app.cancel')}
          onConfirm={decline}
          danger
        />
      )}
    </section>
  );
}

import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { toastSuccess } from '../../../ui/show-toast.ts';
import css from './people.module.css';

interface BlockDialogProps {
  chatroomId: string;
  partnerName: string;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Called instead of blocking if the user wants to report the partner as well. */
  onReport: () => void;
}

/** Asks for a confirmation and blocks the partner. The chat then disappears. */
export function BlockDialog(props: BlockDialogProps) {
  const { chatroomId, partnerName, finalFocus, onClose, onReport } = props;
  const { t } = useTranslation();
  const client = useClient();
  const [alsoReport, setAlsoReport] = useState(false);

  const block = (): void => {
    client.block(chatroomId);
    toastSuccess(t('block.done', { name: partnerName }), { announcesNavigation: true });
    onClose();
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('block.title', { name: partnerName })}
      text={t('block.text', { name: partnerName })}
      confirmLabel={alsoReport ? t('block.continue') : t('request.block')}
      cancelLabel={t('app.cancel')}
      onConfirm={alsoReport ? onReport : block}
      danger={!alsoReport}
      finalFocus={finalFocus}
    >
      <div className={css.content}>
        <Checkbox name="report" checked={alsoReport} onCheckedChange={setAlsoReport}>
          {t('block.alsoReport', { name: partnerName })}
        </Checkbox>
      </div>
    </ConfirmDialog>
  );
}

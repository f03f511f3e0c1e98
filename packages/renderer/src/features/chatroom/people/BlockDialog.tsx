import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { chatActionErrorText } from '../../../shared/screen/chat-action-error-text.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { FormError } from '../../../ui/FormError.tsx';
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
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();

  const block = async (): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      await client.block(chatroomId);
      toastSuccess(t('block.done', { name: partnerName }), { announcesNavigation: true });
      onClose();
    } catch (cause) {
      logFailure('blocking a user', cause);
      setError(chatActionErrorText(t, cause));
      setIsBusy(false);
    }
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('block.title', { name: partnerName })}
      text={t('block.text', { name: partnerName })}
      confirmLabel={alsoReport ? t('block.continue') : t('request.block')}
      cancelLabel={t('app.cancel')}
      onConfirm={alsoReport ? onReport : () => void block()}
      isBusy={isBusy}
      danger={!alsoReport}
      finalFocus={finalFocus}
    >
      <div className={css.content}>
        <Checkbox name="report" checked={alsoReport} onCheckedChange={setAlsoReport}>
          {t('block.alsoReport', { name: partnerName })}
        </Checkbox>
        <FormError text={error} />
      </div>
    </ConfirmDialog>
  );
}

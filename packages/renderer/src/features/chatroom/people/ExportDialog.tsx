import type { LoadedChatroom } from '@parley/client';
import { DELETED_USER } from '@parley/contract';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { ExportControl } from '../../../shared/exports/ExportControl.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';

interface ExportDialogProps {
  room: Pick<LoadedChatroom, 'id' | 'partnerName'>;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Makes an archive of the chat. Its progress goes on when the dialog is closed. */
export function ExportDialog({
  room: { id, partnerName },
  finalFocus,
  onClose,
}: ExportDialogProps) {
  const { t } = useTranslation();
  const title =
    partnerName === DELETED_USER
      ? t('data.deletedChatTitle')
      : t('data.chatTitle', { name: partnerName });
  return (
    <Dialog
      onClose={onClose}
      title={title}
      text={t('data.chatHelp')}
      closeLabel={t('ui.close')}
      finalFocus={finalFocus}
      isDismissible
    >
      <ExportControl chatroomId={id} />
    </Dialog>
  );
}

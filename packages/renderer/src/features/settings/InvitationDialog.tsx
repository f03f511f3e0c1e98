import type { Invitation } from '@parley/contract';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InvitationLink } from '../../shared/invitations/InvitationLink.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InvitationForm } from './InvitationForm.tsx';

interface InvitationDialogProps {
  /** Undefined to create one. */
  invitation: Invitation | undefined;
  onCreated: (invitation: Invitation) => void;
  onClose: () => void;
}

/** The dialog that creates an invitation and then shows its link, or shows the link of an existing one. */
export function InvitationDialog({ invitation, onCreated, onClose }: InvitationDialogProps) {
  const { t } = useTranslation();
  const [created, setCreated] = useState<Invitation>();
  const [isBusy, setIsBusy] = useState(false);
  const formId = useId();
  const copyButton = useRef<HTMLButtonElement>(null);
  const shown = invitation ?? created;

  // The button that was focused has disappeared.
  useEffect(() => {
    if (created) copyButton.current?.focus();
  }, [created]);

  if (shown) {
    return (
      <Dialog
        onClose={onClose}
        initialFocus={copyButton}
        title={shown.note === '' ? t('settings.invitation') : shown.note}
        closeLabel={t('ui.close')}
      >
        <InvitationLink invitation={shown} copyButton={copyButton} />
      </Dialog>
    );
  }
  return (
    <Dialog
      onClose={onClose}
      title={t('settings.invitationNew')}
      closeLabel={t('app.cancel')}
      action={
        <Button type="submit" form={formId} isBusy={isBusy}>
          {t('settings.invitationCreate')}
        </Button>
      }
    >
      <InvitationForm
        id={formId}
        onBusyChange={setIsBusy}
        onCreated={(invitation) => {
          setCreated(invitation);
          onCreated(invitation);
        }}
      />
    </Dialog>
  );
}

import { isServerReachable } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useUser } from '../../app/app-context.ts';
import { useClientState } from '../../client/client-context.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { RemoteContent } from '../screen/RemoteContent.tsx';
import { useRemote } from '../screen/use-remote.ts';
import { findOpenInvitation, type OpenInvitation } from './find-open-invitation.ts';
import { InvitationLink } from './InvitationLink.tsx';
import css from './InviteDialog.module.css';

interface InviteDialogProps {
  /** Gets the focus when the dialog closes. */
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The dialog with the link and the QR code to invite friends, or what is in the way of one. */
export function InviteDialog({ finalFocus, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  const { whoMayWrite } = useUser();
  const { userInvitations } = usePublicConfig();
  const isOff = whoMayWrite === 'nobody';
  return (
    <Dialog
      onClose={onClose}
      isDismissible
      title={t('frame.invite')}
      {...(!isOff && {
        text: userInvitations === true ? t('invitation.lead') : t('invitation.leadMembers'),
      })}
      closeLabel={t('ui.close')}
      finalFocus={finalFocus}
    >
      {isOff ? (
        <InSettings text={t('invitation.off')} onLeave={onClose} />
      ) : (
        <OwnLink onLeave={onClose} />
      )}
    </Dialog>
  );
}

function OwnLink({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const isReachable = useClientState('connection', isServerReachable);
  const remote = useRemote<OpenInvitation>(() => findOpenInvitation(api));
  const copyButton = useRef<HTMLButtonElement>(null);
  const isReady = typeof remote.data === 'object' && remote.data.status === 'ready';

  // Until then, the button that closes the dialog had the focus.
  useEffect(() => {
    if (isReady) copyButton.current?.focus();
  }, [isReady]);

  return (
    <div className={css.content}>
      <RemoteContent
        remote={remote}
        loadingText={t('invitation.loading')}
        failedText={isReachable ? t('invitation.failed') : t('invitation.offline')}
      >
        {(found) =>
          found.status === 'full' ? (
            <InSettings
              text={t('invitation.full', { count: LIMITS.invitationsMax })}
              onLeave={onLeave}
            />
          ) : (
            <InvitationLink invitation={found.invitation} copyButton={copyButton} />
          )
        }
      </RemoteContent>
    </div>
  );
}

/** Says what the user has to change in the settings first. */
function InSettings({ text, onLeave }: { text: string; onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={css.problem}>
      <Banner tone="warning" isInset>
        {text}
      </Banner>
      <LinkButton to={PATHS.settings} onClick={onLeave}>
        {t('invitation.toSettings')}
      </LinkButton>
    </div>
  );
}

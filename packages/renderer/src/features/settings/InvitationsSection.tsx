import type { Invitation, InvitationList } from '@parley/contract';
import { UserRoundPlus } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useUser } from '../../app/app-context.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { toastError } from '../../ui/show-toast.ts';
import type { InvitationDialog } from './InvitationDialog.tsx';
import { InvitationListItem } from './InvitationListItem.tsx';
import css from './PeopleList.module.css';
import { RemoteContent } from '../../shared/screen/RemoteContent.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { useReloadWithChats } from './use-reload-with-chats.ts';
import { useRemote } from '../../shared/screen/use-remote.ts';

/** The user's invitations. Each has a link and a QR code. */
export function InvitationsSection() {
  const { t } = useTranslation();
  const api = useApi();
  const { whoMayWrite } = useUser();
  const { userInvitations } = usePublicConfig();
  const heading = useRef<HTMLHeadingElement>(null);
  const remote = useRemote<InvitationList>(() => api.call('listInvitations'));
  useReloadWithChats(remote.reload);
  const { dialog, open } = useInvitationDialog((created) =>
    remote.update(({ invitations }) => ({
      // It may have been loaded in the meantime.
      invitations: [created, ...invitations.filter(({ id }) => id !== created.id)],
    })),
  );

  const hide = (id: string): void =>
    remote.update(({ invitations }) => ({
      invitations: invitations.filter((each) => each.id !== id),
    }));

  return (
    <SettingsSection
      title={t('settings.invitations')}
      help={
        userInvitations === true
          ? t('settings.invitationsHelpRegister')
          : t('settings.invitationsHelp')
      }
      headingRef={heading}
    >
      {whoMayWrite === 'nobody' && (
        <div className={css.notice}>
          <Banner tone="warning" isInset>
            {t('settings.invitationsOff')}
          </Banner>
        </div>
      )}
      <RemoteContent
        remote={remote}
        loadingText={t('settings.invitationsLoading')}
        failedText={t('settings.invitationsFailed')}
      >
        {({ invitations }) => (
          <>
            {invitations.length === 0 ? (
              <p className={css.empty}>{t('settings.invitationsEmpty')}</p>
            ) : (
              <ul>
                {invitations.map((invitation) => (
                  <InvitationListItem
                    key={invitation.id}
                    invitation={invitation}
                    heading={heading}
                    onShow={() => open(invitation)}
                    onRevoked={() => hide(invitation.id)}
                  />
                ))}
              </ul>
            )}
            <Button
              variant="secondary"
              className={css.add}
              icon={<UserRoundPlus />}
              onClick={() => open()}
            >
              {t('settings.invitationNew')}
            </Button>
          </>
        )}
      </RemoteContent>
      {dialog}
    </SettingsSection>
  );
}

interface OpenDialog {
  Dialog: typeof InvitationDialog;
  /** Undefined to create one. */
  invitation: Invitation | undefined;
}

/** Returns the open dialog, whose code is loaded on demand, and a function that opens it. */
function useInvitationDialog(onCreated: (invitation: Invitation) => void): {
  dialog: ReactNode;
  open: (invitation?: Invitation) => void;
} {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<OpenDialog>();

  async function load(invitation?: Invitation): Promise<void> {
    try {
      const { InvitationDialog } = await import('./InvitationDialog.tsx');
      setOpened({ Dialog: InvitationDialog, invitation });
    } catch {
      toastError(t('error.offline'));
    }
  }

  return {
    dialog: opened && (
      <opened.Dialog
        invitation={opened.invitation}
        onCreated={onCreated}
        onClose={() => setOpened(undefined)}
      />
    ),
    open: (invitation) => void load(invitation),
  };
}

import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLoadScreenTexts } from '../../i18n/use-language.ts';
import { toastError } from '../../ui/show-toast.ts';
import type { InviteDialog } from './InviteDialog.tsx';
import { invitationParts } from './invitation-parts.ts';

/** Opens the dialog with the link to invite friends. */
export interface Inviting {
  /** Opens it, and returns the focus to the button when it closes. */
  invite: (opener: HTMLElement) => void;
  /** The open dialog. */
  dialog: ReactNode;
}

/** Returns the dialog with the link to invite friends, whose code is loaded on demand. */
export function useInviteDialog(): Inviting {
  const { t } = useTranslation();
  const loadScreenTexts = useLoadScreenTexts();
  const [opened, setOpened] = useState<{ Dialog: typeof InviteDialog }>();
  const finalFocus = useRef<HTMLElement>(null);

  async function open(): Promise<void> {
    try {
      const [Dialog] = await Promise.all([
        invitationParts.inviteDialog(),
        loadScreenTexts('invitations'),
      ]);
      setOpened({ Dialog });
    } catch {
      toastError(t('app.screenFailed'));
    }
  }

  return {
    invite: (opener) => {
      finalFocus.current = opener;
      void open();
    },
    dialog: opened && (
      <opened.Dialog
        finalFocus={finalFocus}
        onClose={() => {
          // A friend who has accepted meanwhile has ended the empty state with the button.
          if (finalFocus.current?.isConnected !== true) {
            finalFocus.current = document.querySelector<HTMLElement>('[data-chat]');
          }
          setOpened(undefined);
        }}
      />
    ),
  };
}

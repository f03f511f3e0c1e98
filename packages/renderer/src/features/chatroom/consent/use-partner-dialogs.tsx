import type { Room } from '@parley/client';
import { useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { dialogs } from '../../../routes/dialogs.ts';
import { toastError } from '../../../ui/show-toast.ts';

type Opener = RefObject<HTMLElement | null>;

type OpenDialog =
  | { Block: Awaited<ReturnType<typeof dialogs.block>>; opener: Opener }
  | { Report: Awaited<ReturnType<typeof dialogs.report>>; opener: Opener; isBlocking: boolean };

/** The dialogs for blocking and reporting the partner. */
export interface PartnerDialogs {
  /** Opens a dialog, which returns the focus to `opener` when it closes. */
  openBlock: (opener: Opener) => void;
  openReport: (opener: Opener) => void;
  /** The open dialog. */
  dialog: ReactNode;
}

/** Manages the dialogs for blocking and reporting the partner. */
export function usePartnerDialogs(room: Room): PartnerDialogs {
  const { t } = useTranslation();
  const [open, setOpen] = useState<OpenDialog>();
  const close = (): void => setOpen(undefined);

  const show = (load: () => Promise<OpenDialog>): void => {
    load().then(setOpen, () => toastError(t('app.screenFailed')));
  };
  const openReport = (opener: Opener, isBlocking: boolean): void =>
    show(async () => ({ Report: await dialogs.report(), opener, isBlocking }));

  return {
    openBlock: (opener) => show(async () => ({ Block: await dialogs.block(), opener })),
    openReport: (opener) => openReport(opener, false),
    dialog: open && (
      <>
        {'Block' in open && (
          <open.Block
            chatroomId={room.id}
            partnerName={room.partnerName}
            finalFocus={open.opener}
            onClose={close}
            onReport={() => openReport(open.opener, true)}
          />
        )}
        {'Report' in open && (
          <open.Report
            room={room}
            isBlocking={open.isBlocking}
            finalFocus={open.opener}
            onClose={close}
          />
        )}
      </>
    ),
  };
}

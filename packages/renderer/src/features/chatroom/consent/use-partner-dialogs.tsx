import { isPartnerDeleted, type LoadedChatroom } from '@parley/client';
import { useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { toastError } from '../../../ui/show-toast.ts';
import { useLoadScreenTexts } from '../../../i18n/use-language.ts';
import type DeleteChatDialog from '../../../shared/chat-menu/DeleteChatDialog.tsx';
import type { BlockDialog } from '../people/BlockDialog.tsx';
import type { ExportDialog } from '../people/ExportDialog.tsx';
import type { ReportDialog } from '../people/ReportDialog.tsx';

type Opener = RefObject<HTMLElement | null>;

type OpenDialog =
  | { Block: typeof BlockDialog; opener: Opener }
  | { Export: typeof ExportDialog; opener: Opener }
  | { Delete: typeof DeleteChatDialog; opener: Opener }
  | { Report: typeof ReportDialog; opener: Opener; isBlocking: boolean };

/** The dialogs for blocking and reporting the partner, and for exporting and deleting the chat. */
export interface PartnerDialogs {
  /** Opens a dialog, which returns the focus to `opener` when it closes. */
  openBlock: (opener: Opener) => void;
  openReport: (opener: Opener) => void;
  openExport: (opener: Opener) => void;
  openDelete: (opener: Opener) => void;
  /** The open dialog. */
  dialog: ReactNode;
}

/** Manages the dialogs for blocking and reporting the partner, and for exporting and deleting the chat. */
export function usePartnerDialogs(room: LoadedChatroom): PartnerDialogs {
  const { t } = useTranslation();
  const [open, setOpen] = useState<OpenDialog>();
  const loadScreenTexts = useLoadScreenTexts();
  const close = (): void => setOpen(undefined);

  const show = (prepare: () => Promise<OpenDialog>): void => {
    prepare().then(setOpen, () => toastError(t('app.screenFailed')));
  };
  /** Loads the module of a dialog with its texts. */
  const load = async <M,>(module: Promise<M>, texts: 'data' | 'dialogs'): Promise<M> => {
    const [loaded] = await Promise.all([module, loadScreenTexts(texts)]);
    return loaded;
  };
  const openReport = (opener: Opener, isBlocking: boolean): void =>
    show(async () => {
      const { ReportDialog: Report } = await load(import('../people/ReportDialog.tsx'), 'dialogs');
      return { Report, opener, isBlocking };
    });

  return {
    openBlock: (opener) =>
      show(async () => {
        const { BlockDialog: Block } = await load(import('../people/BlockDialog.tsx'), 'dialogs');
        return { Block, opener };
      }),
    openReport: (opener) => openReport(opener, false),
    openExport: (opener) =>
      show(async () => {
        const { ExportDialog: Export } = await load(import('../people/ExportDialog.tsx'), 'data');
        return { Export, opener };
      }),
    openDelete: (opener) =>
      show(async () => {
        const { default: Delete } = await load(
          import('../../../shared/chat-menu/DeleteChatDialog.tsx'),
          'dialogs',
        );
        return { Delete, opener };
      }),
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
        {'Export' in open && <open.Export room={room} finalFocus={open.opener} onClose={close} />}
        {'Report' in open && (
          <open.Report
            room={room}
            isBlocking={open.isBlocking}
            finalFocus={open.opener}
            onClose={close}
          />
        )}
        {'Delete' in open && (
          <open.Delete
            chat={{ id: room.id, names: [room.partnerName], isDeleted: isPartnerDeleted(room) }}
            opener={open.opener}
            onClose={close}
          />
        )}
      </>
    ),
  };
}

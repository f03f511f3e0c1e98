import type { Message } from '@parley/contract';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../../../browser/copy-text.ts';
import { useClient } from '../../../../client/client-context.ts';
import { useHost } from '../../../../host/host-context.ts';
import { messagePath } from '../../../../navigation/paths.ts';
import { toastError, toastSuccess } from '../../../../ui/show-toast.ts';
import type { MessageMenuActions } from './message-menu-entries.ts';

/** A dialog that an entry of the message menu opens. */
export type OpenedDialog =
  | { type: 'details' | 'reaction' | 'forward'; key: string }
  | { type: 'delete'; messages: readonly Message[] };

/**
 * Returns what the entries of the message menu do.
 * @param key of the row whose menu is open
 * @param focusAfterMenu sets the element to focus when the menu closes
 */
export function useMessageMenuActions(
  frame: RefObject<HTMLElement | null>,
  key: string,
  openDialog: (dialog: OpenedDialog) => void,
  focusAfterMenu: (element: HTMLElement | null | undefined) => void,
): MessageMenuActions {
  const { t } = useTranslation();
  const client = useClient();
  const { serverOrigin } = useHost();
  const copyLink = async ({ chatroom, seq }: Message): Promise<void> => {
    const link = new URL(messagePath(chatroom, seq), `${serverOrigin}/`).href;
    if (await copyText(link)) toastSuccess(t('message.linkCopied'));
    else toastError(t('message.linkCopyFailed'));
  };
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) toastSuccess(t('message.copied'));
    else toastError(t('message.copyFailed'));
  };
  return {
    reply: (message) => {
      client.startReply(message);
      focusAfterMenu(frame.current?.closest('[data-room]')?.querySelector('textarea'));
    },
    copyLink: (message) => void copyLink(message),
    copyText: (text) => void copy(text),
    forward: () => openDialog({ type: 'forward', key }),
    edit: (message) => {
      client.startEdit(message);
      // The composer does so only when another message is edited.
      frame.current?.closest('[data-room]')?.querySelector('textarea')?.focus();
    },
    confirmDelete: (messages) => openDialog({ type: 'delete', messages }),
    showDetails: () => openDialog({ type: 'details', key }),
    retry: (clientId) => client.retry(clientId),
    discard: (clientId) => client.discard(clientId),
  };
}

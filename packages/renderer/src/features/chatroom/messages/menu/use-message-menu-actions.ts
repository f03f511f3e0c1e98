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
 * Returns a function that returns what the entries of a message's menu do.
 * @param select selects the message of a row or an image by its key
 * @param focusAfterReply moves the focus to the text box when a reply begins
 */
export function useMessageMenuActions(
  frame: RefObject<HTMLElement | null>,
  openDialog: (dialog: OpenedDialog) => void,
  select: (key: string) => void,
  focusAfterReply: (box: HTMLElement) => void,
): (key: string) => MessageMenuActions {
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
  const findBox = (): HTMLElement | null | undefined =>
    frame.current?.closest('[data-room]')?.querySelector('textarea');
  return (key) => ({
    reply: (message) => {
      client.startReply(message);
      const box = findBox();
      if (box) focusAfterReply(box);
    },
    copyLink: (message) => void copyLink(message),
    copyText: (text) => void copy(text),
    forward: () => openDialog({ type: 'forward', key }),
    select: () => select(key),
    edit: (message) => {
      client.startEdit(message);
      // The composer does so only when another message is edited.
      findBox()?.focus();
    },
    confirmDelete: (messages) => openDialog({ type: 'delete', messages }),
    showDetails: () => openDialog({ type: 'details', key }),
    retry: (clientId) => client.retry(clientId),
    discard: (clientId) => client.discard(clientId),
  });
}

import type { Message } from '@parley/contract';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../../../browser/copy-text.ts';
import { useClient } from '../../../../client/client-context.ts';
import { toastError, toastSuccess } from '../../../../ui/show-toast.ts';
import type { MessageMenuActions } from './message-menu-entries.ts';

/** A dialog that an entry of the message menu opens. */
export type OpenedDialog =
  | { type: 'details' | 'reaction'; key: string }
  | { type: 'delete'; message: Message };

/**
 * Returns what the entries of the message menu do.
 * @param key of the row whose menu is open
 */
export function useMessageMenuActions(
  frame: RefObject<HTMLElement | null>,
  key: string,
  openDialog: (dialog: OpenedDialog) => void,
): MessageMenuActions {
  const { t } = useTranslation();
  const client = useClient();
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) toastSuccess(t('message.copied'));
    else toastError(t('message.copyFailed'));
  };
  return {
    copyText: (text) => void copy(text),
    edit: (message) => {
      client.editing.getState().start(message);
      // The composer does so only when another message is edited.
      frame.current?.closest('[data-room]')?.querySelector('textarea')?.focus();
    },
    confirmDelete: (message) => openDialog({ type: 'delete', message }),
    showDetails: () => openDialog({ type: 'details', key }),
    retry: (clientId) => client.retry(clientId),
    discard: (clientId) => client.discard(clientId),
  };
}

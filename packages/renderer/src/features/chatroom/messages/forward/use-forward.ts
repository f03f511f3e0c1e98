import { isServerReachable, type Chat } from '@parley/client';
import type { Message } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useClient, useClientState } from '../../../../client/client-context.ts';
import { chatPath } from '../../../../navigation/paths.ts';
import { toastInfo, toastSuccess } from '../../../../ui/show-toast.ts';
import { nameOfTarget } from '../../../../shared/chat-targets/find-chat-targets.ts';

/** Returns a function that forwards a message to chats and shows a toast, which offers to open another chat. */
export function useForward(): (message: Message, targets: readonly Chat[]) => void {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const isOnline = useClientState('connection', isServerReachable);
  return (message, targets) => {
    const [target] = targets;
    if (!target) return;
    client.forward(
      targets.map(({ id }) => id),
      message,
    );
    const isElsewhere = targets.length === 1 && target.id !== message.chatroom;
    const options = isElsewhere && {
      action: { label: t('forward.open'), onSelect: () => void navigate(chatPath(target.id)) },
    };
    if (!isOnline) toastInfo(t('forward.later'), options || {});
    else if (targets.length > 1) {
      toastSuccess(t('forward.doneChats', { count: targets.length }));
    } else toastSuccess(t('forward.done', { name: nameOfTarget(target) }), options || {});
  };
}

import { isServerReachable, type Chat } from '@parley/client';
import type { Message } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useClient, useClientState } from '../../../../client/client-context.ts';
import { chatPath } from '../../../../navigation/paths.ts';
import { toastInfo, toastSuccess } from '../../../../ui/show-toast.ts';
import { nameOfTarget } from '../../../../shared/chat-targets/find-chat-targets.ts';

/** Returns a function that forwards messages to chats and shows one toast, which offers to open another chat. */
export function useForward(): (messages: readonly Message[], targets: readonly Chat[]) => void {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const isOnline = useClientState('connection', isServerReachable);
  return (messages, targets) => {
    const [target] = targets;
    const [message] = messages;
    if (!target || !message) return;
    client.forward(
      targets.map(({ id }) => id),
      messages,
    );
    const isElsewhere = targets.length === 1 && target.id !== message.chatroom;
    const options = isElsewhere && {
      action: { label: t('forward.open'), onSelect: () => void navigate(chatPath(target.id)) },
    };
    if (!isOnline) toastInfo(t('forward.later', { count: messages.length }), options || {});
    else if (targets.length > 1) {
      toastSuccess(t('forward.doneChats', { count: targets.length }));
    } else toastSuccess(t('forward.done', { name: nameOfTarget(target) }), options || {});
  };
}

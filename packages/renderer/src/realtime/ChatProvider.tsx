import type { SessionEndReason, Volume } from '@parley/contract';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApi } from '../api/api-context.ts';
import type { ApiError } from '../api/client.ts';
import { fetchCurrentUser } from '../api/accounts.ts';
import { spokenText } from '../format/spoken-text.ts';
import { useHost } from '../host/host-context.ts';
import { chatPath } from '../routes/paths.ts';
import { hadGesture } from '../sounds/first-gesture.ts';
import { createSoundPlayer, type SoundPlayer } from '../sounds/sound-player.ts';
import { selectTotalUnread, useChats } from '../stores/chats.ts';
import { useSession, useUser } from '../stores/session.ts';
import { isPageAttended } from '../stores/view.ts';
import { toastError, toastInfo } from '../ui/toasts.ts';
import { alertUser } from './alert-user.ts';
import type { Incoming } from './attention.ts';
import { startChatSession } from './chat-session.ts';
import { useCurrentChat } from './current-chat.ts';
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx';

/** New messages that stay to be read out: where several come at once, the last must not take the place of the others. */
const ANNOUNCED_MAX = 5;

/** Ends that a person chose, here or on another device: nothing of theirs stays in this browser. */
const FORGETTING: ReadonlySet<SessionEndReason> = new Set(['logout', 'revoked', 'account-deleted']);

const currentVolume = (): Volume => useSession.getState().user?.volume ?? 'middle';

/** Runs the chats of the signed-in person: the live connection, sounds, notifications and the badge. */
export function ChatProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const api = useApi();
  const host = useHost();
  const navigate = useNavigate();
  const { username } = useUser();
  const isStarted = useCurrentChat(({ session }) => session !== undefined);
  const [announced, setAnnounced] = useState<readonly Incoming[]>([]);

  const openChat = (chatroom: string): void => void navigate(chatPath(chatroom));
  const tell = useEffectEvent((incoming: Incoming, player: SoundPlayer) => {
    const { chatroom, name } = incoming;
    const text = spokenText(incoming, t);
    const notification = {
      chatroom,
      title: name,
      body: text,
      onOpen: () => openChat(chatroom),
      onNotShown: () => {
        toastInfo(t('room.announcement', { name, text }), { onClick: () => openChat(chatroom) });
      },
    };
    void alertUser(notification, {
      host,
      isAttended: isPageAttended,
      volume: currentVolume,
      canPlay: hadGesture,
      play: () => player.play('receive'),
    });
  });
  const onMarkReadFailed = useEffectEvent(() => toastError(t('error.server')));
  const onSendRefused = useEffectEvent((error: ApiError) => {
    if (error.code === 'partner_deleted') {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
    } else if (error.code === 'quota_messages') {
      toastError(t('composer.quotaMessages'));
    }
  });
  const onSessionEnded = useEffectEvent((reason: SessionEndReason) => {
    useSession.getState().end(reason);
    // The refusal is what a desktop app hears of it: it forgets the last answers that it keeps.
    fetchCurrentUser(api).catch(() => undefined);
  });

  useEffect(() => {
    const player = createSoundPlayer(currentVolume);
    const started = startChatSession({
      api,
      username,
      onSessionEnded: (reason) => onSessionEnded(reason),
      // If the session is over, this answer signs out.
      onRefused: () => {
        if (navigator.onLine) fetchCurrentUser(api).catch(() => undefined);
      },
      onIncoming: (incoming) => {
        setAnnounced((before) => [...before, incoming].slice(-ANNOUNCED_MAX));
      },
      onUnseen: (incoming) => tell(incoming, player),
      onSent: () => player.play('send'),
      onSendRefused: (_entry, error) => onSendRefused(error),
      onMarkReadFailed: () => onMarkReadFailed(),
    });
    useCurrentChat.setState({ session: started });
    return () => {
      useCurrentChat.setState({ session: undefined });
      const { ended } = useSession.getState();
      started.stop(ended !== undefined && FORGETTING.has(ended));
      player.stop();
    };
  }, [api, username]);

  // Once the chats are there: what was answered before they were waits until then.
  useEffect(
    () =>
      isStarted
        ? host.onReply?.((chatroom, text) => {
            useCurrentChat.getState().session?.send(chatroom, text);
          })
        : undefined,
    [host, isStarted],
  );

  useEffect(
    () => host.onResume?.(() => useCurrentChat.getState().session?.renewConnection()),
    [host],
  );

  useEffect(() => {
    host.setBadge(selectTotalUnread(useChats.getState()));
    const stopBadge = useChats.subscribe((state, before) => {
      const { chats } = state;
      if (chats === before.chats) return;
      const total = selectTotalUnread(state);
      if (total !== selectTotalUnread(before)) host.setBadge(total);
      const unreadBefore = before.chats.filter(({ unread }) => unread > 0);
      for (const { id } of unreadBefore) {
        if (chats.find((chat) => chat.id === id)?.unread === 0) host.withdrawNotification(id);
      }
    });
    return () => {
      stopBadge();
      host.setBadge(0);
    };
  }, [host]);

  if (!isStarted) return null;
  return (
    <>
      {children}
      <NewMessageAnnouncer incoming={announced} />
    </>
  );
}

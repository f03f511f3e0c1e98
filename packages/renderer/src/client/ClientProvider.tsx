import {
  createClient,
  selectTotalUnread,
  type ApiError,
  type Client,
  type IncomingMessage,
  type OutboxEntry,
} from '@parley/client';
import type { Volume } from '@parley/contract';
import type { TFunction } from 'i18next';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useApp, useUser } from '../app/app-context.ts';
import { claimRecentEmoji } from '../app/recent-emoji.ts';
import { createBrowserPlatform } from '../browser/browser-platform.ts';
import { isPageFocused } from '../browser/page-focused.ts';
import { ClientContext } from './client-context.ts';
import { messagePlainText } from '../format/message-plain-text.ts';
import type { Host } from '../host/host.ts';
import { useHost, useOnConnected, usePublicConfig } from '../host/host-context.ts';
import { chatPath } from '../routes/paths.ts';
import { hasUserActivation } from '../sounds/user-activation.ts';
import { createSoundPlayer, type SoundPlayer } from '../sounds/sound-player.ts';
import { toastError, toastInfo } from '../ui/show-toast.ts';
import { alertUser } from './alert-user.ts';
import { sendErrorText } from './send-error-text.ts';
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx';

/** Number of new messages kept in the live region, so that messages in quick succession are all read out. */
const ANNOUNCED_MAX = 5;

/** Runs the client of the signed-in user, its sounds, notifications and the badge. */
export function ClientProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { api, session, settings, mismatch, newVersion } = useApp();
  const host = useHost();
  const navigate = useNavigate();
  const user = useUser();
  const { username, dateOfRegistration } = user;
  const [holder] = useState(() => createStore<{ client?: Client }>()(() => ({})));
  const { client } = useStore(holder);
  const [announced, setAnnounced] = useState<readonly IncomingMessage[]>([]);

  const alert = useEffectEvent((incoming: IncomingMessage, player: SoundPlayer) =>
    alertToMessage(incoming, {
      t,
      host,
      volume: () => session.getState().user?.volume ?? 'middle',
      player,
      openChat: (chatroomId) => void navigate(chatPath(chatroomId)),
    }),
  );
  const handleMarkReadFailed = useEffectEvent(() => toastError(t('error.server')));
  const handleChangeRefused = useEffectEvent(() => toastError(t('reaction.failed')));
  const handleSendRefused = useEffectEvent((entry: OutboxEntry, error: ApiError) =>
    toastSendError(entry, error, t),
  );

  useEffect(() => {
    claimRecentEmoji(username);
    const player = createSoundPlayer(() => session.getState().user?.volume ?? 'middle');
    const announce = (incoming: IncomingMessage): void =>
      setAnnounced((before) => {
        // A reaction that was taken back and repeated has the same key.
        const others = before.filter(({ key }) => key !== incoming.key);
        return [...others, incoming].slice(-ANNOUNCED_MAX);
      });
    const created = createClient({
      api,
      username,
      registeredAt: dateOfRegistration,
      platform: createBrowserPlatform({
        getStorageKey: host.getStorageKey,
        onStorageOutdated: () => newVersion.setState({ isReady: true }),
      }),
      isOfflineCopyEnabled: settings.getState().isOfflineCopyEnabled,
      events: {
        onSessionEnded: (reason) => session.getState().end(reason),
        onSettings: session.getState().changeSettings,
        onIncoming: announce,
        onReaction: announce,
        onUnseen: (incoming) => alert(incoming, player),
        onSent: () => player.play('send'),
        onSendRefused: (entry, error) => handleSendRefused(entry, error),
        onChangeRefused: () => handleChangeRefused(),
        onMarkReadFailed: () => handleMarkReadFailed(),
        onVersionMismatch: (config) => mismatch.setState({ config }),
      },
    });
    const unsubscribe = settings.subscribe(({ isOfflineCopyEnabled }) =>
      created.setOfflineCopyEnabled(isOfflineCopyEnabled),
    );
    holder.setState({ client: created });
    return () => {
      unsubscribe();
      holder.setState({}, true);
      created.dispose({ ended: session.getState().endReason });
      player.stop();
    };
  }, [api, dateOfRegistration, holder, host, mismatch, newVersion, session, settings, username]);

  const config = usePublicConfig();
  useEffect(() => client?.saveStartData({ user, config }), [client, user, config]);

  useHostEvents(client);
  useUnreadBadge(client);

  if (!client) return null;
  return (
    <ClientContext value={client}>
      {children}
      <NewMessageAnnouncer incoming={announced} />
    </ClientContext>
  );
}

interface AlertContext {
  t: TFunction;
  host: Host;
  volume: () => Volume;
  player: SoundPlayer;
  openChat: (chatroomId: string) => void;
}

/** Alerts the user to a new message with a sound and a notification, or with a toast if it is not shown. */
function alertToMessage(incoming: IncomingMessage, context: AlertContext): void {
  const { t, host, volume, player, openChat } = context;
  const { chatroomId, name } = incoming;
  if (incoming.isRequest) {
    alertToRequest(incoming, context);
    return;
  }
  const text = messagePlainText(incoming, t);
  const notification = {
    chatroom: chatroomId,
    title: name,
    body: text,
    onOpen: () => openChat(chatroomId),
    onNotShown: () => {
      toastInfo(t('room.announcement', { name, text }), { onClick: () => openChat(chatroomId) });
    },
  };
  void alertUser(notification, {
    host,
    isPageFocused,
    volume,
    canPlay: hasUserActivation,
    play: () => player.play('receive'),
  });
}

/** Shows a notification of a message request, without its content and without a sound. */
function alertToRequest({ chatroomId, name }: IncomingMessage, context: AlertContext): void {
  if (isPageFocused()) return;
  const { t, host, openChat } = context;
  void host.notify({
    chatroom: chatroomId,
    title: t('request.notification', { name }),
    body: '',
    sound: 'off',
    canReply: false,
    onOpen: () => openChat(chatroomId),
  });
}

/** Shows why a message was not sent, unless its row in the message list does. */
function toastSendError(entry: OutboxEntry, error: ApiError, t: TFunction): void {
  const text = sendErrorText(entry, error, t);
  if (text === undefined) return;
  const isPartnerDeleted = text === t('room.partnerDeleted');
  toastError(text, isPartnerDeleted ? { position: 'bottom-center' } : {});
}

/** Forwards events of the host to the client, and changes of the connection to the host. */
function useHostEvents(client: Client | undefined): void {
  const host = useHost();
  const { certificate } = useApp();
  const onConnected = useOnConnected();

  // The host queues replies from notifications until the client exists.
  useEffect(
    () => client && host.onReply?.((chatroom, text) => client.send(chatroom, text)),
    [host, client],
  );

  useEffect(() => client && host.onResume?.(client.renewConnection), [host, client]);

  // The server may have been updated while the connection was lost.
  useEffect(
    () =>
      client?.connection.subscribe(({ status }, before) => {
        if (status === 'online' && before.disconnectedAt !== undefined) void host.updates?.check();
      }),
    [host, client],
  );

  // A working connection implies a trusted certificate.
  useEffect(
    () =>
      client?.connection.subscribe(({ status }, before) => {
        if (status !== 'online' || before.status === 'online') return;
        certificate.setState({ isRefused: false });
        onConnected();
      }),
    [client, certificate, onConnected],
  );
}

/**
 * Shows the number of unread messages on the app's icon, and removes notifications of chatrooms that were read
 * or removed, and of reactions that were taken back.
 */
function useUnreadBadge(client: Client | undefined): void {
  const host = useHost();
  useEffect(() => {
    if (!client) return undefined;
    host.setBadge(selectTotalUnread(client.chats.getState()));
    const stopBadge = client.chats.subscribe((state, before) => {
      const { chats } = state;
      if (chats === before.chats) return;
      const total = selectTotalUnread(state);
      if (total !== selectTotalUnread(before)) host.setBadge(total);
      for (const { id, unread, reaction } of before.chats) {
        // A chat that was blocked or deleted is no longer listed.
        const now = chats.find((chat) => chat.id === id);
        if ((now?.unread ?? 0) > 0) continue;
        const isReactionGone = reaction !== undefined && now?.reaction === undefined;
        if (unread > 0 || isReactionGone) host.withdrawNotification(id);
      }
    });
    return () => {
      stopBadge();
      host.setBadge(0);
    };
  }, [host, client]);
}

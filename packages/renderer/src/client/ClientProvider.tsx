import {
  hasBecomeReachable,
  hasReconnected,
  createClient,
  currentContent,
  type ApiError,
  type ChangeTypeName,
  type Client,
  type IncomingMessage,
  type OutboxEntry,
} from '@parley/client';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useApp, useUser } from '../app/app-context.ts';
import { claimRecentEmoji } from '../app/recent-emoji.ts';
import { createBrowserPlatform } from '../browser/browser-platform.ts';
import { changeErrorText } from './change-error-text.ts';
import { ClientContext } from './client-context.ts';
import { createMediaMemory, type MediaMemory } from './media-memory.ts';
import { MediaMemoryContext } from './media-memory-context.ts';
import { useHost, useOnConnected, usePublicConfig } from '../host/host-context.ts';
import { useOpenPath } from '../navigation/open-path.ts';
import { chatPath } from '../navigation/paths.ts';
import { createSoundPlayer, type SoundPlayer } from '../sounds/sound-player.ts';
import { useFailureText } from '../failures/use-failure-text.ts';
import { toastError } from '../ui/show-toast.ts';
import { alertToMessage } from './alert-to-message.ts';
import { PushContext } from './push-context.ts';
import { createPushRegistration, type PushRegistration } from './push-registration.ts';
import { sendErrorText } from './send-error-text.ts';
import { useReadNotifications, useUnreadBadge } from './use-unread-badge.ts';
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx';

/** Number of new messages kept in the live region, so that messages in quick succession are all read out. */
const ANNOUNCED_MAX = 5;

/** The client and what belongs to its session, while a user is signed in. */
interface Running {
  client?: Client;
  push?: PushRegistration;
  media?: MediaMemory;
}

/** Runs the client of the signed-in user, its sounds, notifications and the badge. */
export function ClientProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { api, session, settings, mismatch, newVersion } = useApp();
  const host = useHost();
  const openPath = useOpenPath();
  const failureText = useFailureText();
  const user = useUser();
  const { username, dateOfRegistration } = user;
  const [holder] = useState(() => createStore<Running>()(() => ({})));
  const { client, push, media } = useStore(holder);
  const [announced, setAnnounced] = useState<readonly IncomingMessage[]>([]);

  const alert = useEffectEvent((incoming: IncomingMessage, player: SoundPlayer) =>
    alertToMessage(incoming, {
      t,
      host,
      username,
      volume: () => session.getState().user?.volume ?? 'middle',
      // The installed app has a setting of its own.
      content: host.device
        ? 'whoAndWhat'
        : currentContent(client?.notificationSettings.getState() ?? { settings: undefined }),
      areNotificationsOff: settings.getState().areNotificationsOff,
      player,
      openChat: (chatroomId) => openPath(chatPath(chatroomId)),
    }),
  );
  const handleChangeFailed = useEffectEvent(
    async (error: ApiError, type: ChangeTypeName, count: number) => {
      toastError(await failureText.withHelp(changeErrorText(t, error, type, count), error));
    },
  );
  const handleSendRefused = useEffectEvent(async (entry: OutboxEntry, error: ApiError) => {
    const text = await sendErrorText(entry, error, t, failureText);
    if (text === undefined) return;
    const isPartnerDeleted = text === t('room.partnerDeleted');
    toastError(text, isPartnerDeleted ? { position: 'bottom-center' } : {});
  });

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
        followUpload: host.followUpload,
        onStorageOutdated: () => newVersion.setState({ isReady: true }),
      }),
      isOfflineCopyEnabled: settings.getState().isOfflineCopyEnabled,
      events: {
        onSessionEnded: (reason) => session.getState().end(reason),
        onSettings: session.getState().changeSettings,
        onEmail: session.getState().changeEmail,
        onIncoming: announce,
        onReaction: announce,
        onUnseen: (incoming) => alert(incoming, player),
        onSent: () => player.play('send'),
        onSendRefused: (entry, error) => void handleSendRefused(entry, error),
        onChangeFailed: (error, type, count) => void handleChangeFailed(error, type, count),
        onVersionMismatch: (config) => mismatch.setState({ config }),
      },
    });
    const unsubscribe = settings.subscribe(({ isOfflineCopyEnabled }) =>
      created.setOfflineCopyEnabled(isOfflineCopyEnabled),
    );
    const createdPush = createPushRegistration({ host, client: created, settings });
    const createdMedia = createMediaMemory();
    holder.setState({ client: created, push: createdPush, media: createdMedia });
    return () => {
      unsubscribe();
      holder.setState({}, true);
      createdPush.stop(session.getState().endReason);
      created.dispose({ ended: session.getState().endReason });
      createdMedia.close();
      player.stop();
    };
  }, [api, dateOfRegistration, holder, host, mismatch, newVersion, session, settings, username]);

  const config = usePublicConfig();
  useEffect(() => client?.saveStartData({ user, config }), [client, user, config]);

  useHostEvents(client);
  useUnreadBadge(client);
  useReadNotifications(client);

  if (!client || !push || !media) return null;
  return (
    <ClientContext value={client}>
      <PushContext value={push}>
        <MediaMemoryContext value={media}>{children}</MediaMemoryContext>
      </PushContext>
      <NewMessageAnnouncer incoming={announced} />
    </ClientContext>
  );
}

/** Forwards events of the host to the client, and changes of the connection to the host. */
function useHostEvents(client: Client | undefined): void {
  const host = useHost();
  const { certificate } = useApp();
  const { username } = useUser();
  const onConnected = useOnConnected();

  // The host queues replies from notifications until the client exists.
  useEffect(
    () => client && host.onReply?.((chatroom, text) => client.send(chatroom, text)),
    [host, client],
  );

  // A reply that the service worker could not send is added to the draft.
  useEffect(
    () =>
      client &&
      host.onDraft?.(username, (chatroom, text) => client.drafts.getState().append(chatroom, text)),
    [host, client, username],
  );

  useEffect(
    () =>
      client &&
      host.onResume?.((wasAway) => (wasAway ? client.renewConnection() : client.reconnect())),
    [host, client],
  );

  // The server may have been updated while the connection was lost.
  useEffect(
    () =>
      client?.connection.subscribe((now, before) => {
        if (hasReconnected(now, before)) void host.updates?.check();
      }),
    [host, client],
  );

  // A working connection implies a trusted certificate.
  useEffect(
    () =>
      client?.connection.subscribe((now, before) => {
        if (!hasBecomeReachable(now, before)) return;
        certificate.setState({ isRefused: false });
        onConnected();
      }),
    [client, certificate, onConnected],
  );
}

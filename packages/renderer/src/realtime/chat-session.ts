import type { MediaInfo, SessionEndReason } from '@parley/contract';
import { fetchCurrentUser } from '../api/accounts.ts';
import { otherPersonError, type ApiClient, type ApiError } from '../api/client.ts';
import { useChats } from '../stores/chats.ts';
import { useConnection } from '../stores/connection.ts';
import { useDrafts } from '../stores/drafts.ts';
import { useMediaDrafts } from '../stores/media-drafts.ts';
import { useOutbox } from '../stores/outbox.ts';
import { hadGesture } from '../sounds/first-gesture.ts';
import type { OutboxEntry } from '../stores/outbox-queue.ts';
import { forgetRecentEmoji } from '../stores/recent-emoji.ts';
import { useReadingPositions } from '../stores/reading-positions.ts';
import { useRooms } from '../stores/rooms.ts';
import { useSession } from '../stores/session.ts';
import { isRoomAttended, useView } from '../stores/view.ts';
import { createAttention, type Incoming } from './attention.ts';
import { catchUp } from './catch-up.ts';
import { createChatListLoader } from './chat-list-loader.ts';
import { createEventHandlers, showInList } from './event-handlers.ts';
import { createHeardRevs } from './heard-revs.ts';
import { startLive } from './live-connection.ts';
import { missedSince } from './missed.ts';
import { createOutboxSender } from './outbox-sender.ts';
import { createRoomActions, showSent, type RoomActions } from './room-actions.ts';
import { openSocket } from './socket.ts';
import { randomUuid } from './uuid.ts';

/** Everything that one signed-in person's chats need, from sign-in to sign-out. */
export interface ChatSession extends RoomActions {
  /** Puts a message in the outbox: it shows at once and goes out as soon as it can. */
  send: (chatId: string, content: string, media?: MediaInfo) => void;
  /** Sends a refused message again. */
  retry: (clientId: string) => void;
  /** Gives up a message that was not sent. */
  discard: (clientId: string) => void;
  /** Fetches the list of chats again. How it went shows in the store. */
  reloadChats: () => void;
  /** Fetches the list of chats soon, as something in it changed. */
  refreshChats: () => void;
  /** Tries to connect now. */
  reconnect: () => void;
  /** Connects anew, as the device has slept. */
  renewConnection: () => void;
  /** Ends everything and clears the stores. `forget` also erases drafts and unsent messages. */
  stop: (forget: boolean) => void;
}

interface ChatSessionDeps {
  api: ApiClient;
  /** Name of the signed-in person. */
  username: string;
  onSessionEnded: (reason: SessionEndReason) => void;
  /** The connection was refused: perhaps the session is over. */
  onRefused: () => void;
  /** Something new of somebody else is there, live or found after a break. */
  onIncoming: (incoming: Incoming) => void;
  /** Something new that nobody is looking at; called in one tab only. */
  onUnseen: (incoming: Incoming) => void;
  /** The server took a message that was written in this tab. */
  onSent: () => void;
  /** The server refused a message for good. */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  onMarkReadFailed: () => void;
}

/** Connects and fills the stores. */
export function startChatSession(deps: ChatSessionDeps): ChatSession {
  const { api, username } = deps;
  const stopping = new AbortController();
  const heardRevs = createHeardRevs();
  const onSomebodyElse = (): void => deps.onSessionEnded('expired');
  const chatList = createChatListLoader({ api, username, onSomebodyElse });

  useOutbox.getState().open(username);
  useDrafts.getState().open(username);

  const onGap = (chatId: string): void => {
    catchUp(api, chatId).catch(() => undefined);
  };

  const attention = createAttention({
    isSeen: ({ chatroom }) => isRoomAttended(useView.getState(), chatroom),
    maySound: hadGesture,
    onUnseen: deps.onUnseen,
  });
  const tell = (incoming: Incoming): void => {
    deps.onIncoming(incoming);
    attention.announce(incoming);
  };
  const actions = createRoomActions({ ...deps, chatList, onGap, latestRev: heardRevs.latest });
  const handlers = createEventHandlers({
    username,
    chatList,
    noteRev: heardRevs.note,
    onGap,
    onIncoming: ({ _id: key, chatroom, sender, kind, content }) => {
      tell({ key, chatroom, name: sender.username, kind, content });
    },
  });

  const sender = createOutboxSender({
    api,
    confirm: async () => {
      // While it is live, the connection tells when its session ends.
      if (useConnection.getState().status === 'online') return;
      const user = await fetchCurrentUser(api);
      if (user.username === username) return;
      onSomebodyElse();
      throw otherPersonError();
    },
    onSent: (message) => {
      showSent(message);
      showInList(message, true, chatList);
      deps.onSent();
    },
    onRefused: deps.onSendRefused,
  });

  // What came after it is new, also while the connection is still being made.
  const firstList = chatList.load().catch(() => undefined);

  let isReconnect = false;

  // They may have been changed on another device during the break.
  async function refreshSettings(): Promise<void> {
    const { username: name, language, volume } = await fetchCurrentUser(api);
    if (name === username) useSession.getState().change({ language, volume });
  }

  // Kept where the rooms cannot follow at once.
  const missed: Incoming[] = [];

  const live = startLive({
    socket: openSocket(api.origin),
    handlers,
    resync: async () => {
      await firstList;
      if (isReconnect) refreshSettings().catch(() => undefined);
      isReconnect = true;
      const before = useChats.getState();
      await chatList.load();
      // Before the rooms follow: what comes into sight there is read at once, and new all the same.
      if (before.status === 'ready') {
        missed.push(...missedSince(before.chats, useChats.getState().chats));
      }
      await catchUp(api);
      missed.splice(0).forEach(tell);
    },
    onLive: () => {
      sender.flush();
      reopenView();
    },
    onRefused: deps.onRefused,
    onSessionEnded: deps.onSessionEnded,
  });

  // A room that could not be loaded without a connection is loaded once it is back.
  function reopenView(): void {
    const { chatId } = useView.getState();
    const { rooms } = useRooms.getState();
    if (chatId !== undefined && rooms[chatId]?.status === 'error') void actions.open(chatId);
  }

  // Another tab wrote or sent something.
  window.addEventListener(
    'storage',
    ({ key }) => {
      if (key?.startsWith('parley.outbox.')) useOutbox.getState().refresh();
      if (key?.startsWith('parley.drafts.')) useDrafts.getState().refresh();
    },
    { signal: stopping.signal },
  );

  return {
    ...actions,
    send: (chatId, content, media) => {
      const createdAt = new Date().toISOString();
      const clientId = randomUuid();
      useOutbox.getState().add({
        clientId,
        chatroom: chatId,
        content,
        createdAt,
        state: 'waiting',
        ...(media && { media }),
      });
      sender.flush();
    },
    retry: (clientId) => {
      useOutbox.getState().retry(clientId);
      sender.flush();
    },
    discard: (clientId) => useOutbox.getState().remove(clientId),
    reloadChats: () => {
      chatList.load().catch(() => undefined);
    },
    refreshChats: chatList.request,
    reconnect: live.retry,
    renewConnection: live.renew,
    stop: (forget) => {
      stopping.abort();
      live.stop();
      sender.stop();
      chatList.stop();
      attention.stop();
      if (forget) forgetRecentEmoji();
      for (const store of [useOutbox, useDrafts]) {
        if (forget) store.getState().forget();
        else store.getState().reset();
      }
      useMediaDrafts.getState().reset();
      useChats.getState().reset();
      useRooms.getState().reset();
      useReadingPositions.getState().reset();
      useView.getState().reset();
    },
  };
}

import { MUTED_ALWAYS, type ChatSettingsBody } from '@parley/contract';
import type { ClientStores } from './client-stores.ts';
import type { ListedChat } from './mutations/listed-chats.ts';
import { settingsMutationKey, type ChatSetting } from './mutations/pending-settings.ts';
import { applyRead } from './chatroom-actions.ts';

/** How long a chat can be muted: milliseconds, or always. */
export type MuteDuration = number | 'always';

/**
 * The user's actions on entries of the chat list. They are shown immediately and sent as soon as possible.
 */
export interface ChatActions {
  /** Pins a chat, which takes it out of the archive, or unpins it. */
  pin: (chatroomId: string, isPinned: boolean) => void;
  /** Archives a chat, which unpins it, or takes it out of the archive. */
  archive: (chatroomId: string, isArchived: boolean) => void;
  /** Mutes a chat for a while, or ends it. */
  mute: (chatroomId: string, duration: MuteDuration | undefined) => void;
  /** Marks a chat as unread. Its read position stays. */
  markUnread: (chatroomId: string) => void;
  /** Marks a chat as read up to its newest message. */
  markChatRead: (chatroomId: string) => Promise<void>;
}

interface ChatActionsDeps {
  stores: Pick<ClientStores, 'chats' | 'rooms' | 'mutations' | 'listed' | 'view'>;
  /** Sends the read position of a chatroom to the server. */
  sendRead: (chatroomId: string, seq: number) => Promise<void>;
}

/** Creates the actions. */
export function createChatActions({ stores, sendRead }: ChatActionsDeps): ChatActions {
  const change = (chatroomId: string, setting: ChatSetting, body: ChatSettingsBody): void =>
    stores.mutations.getState().set(settingsMutationKey(chatroomId, setting), chatroomId, body);
  const find = (chatroomId: string): ListedChat | undefined =>
    stores.listed.getState().chats.find(({ id }) => id === chatroomId);

  return {
    // Each states the whole place, because it replaces an earlier mutation that was not sent.
    pin: (chatroomId, isPinned) => change(chatroomId, 'place', { isPinned, isArchived: false }),
    archive: (chatroomId, isArchived) => {
      const seq = find(chatroomId)?.last?.seq;
      // Messages that the user does not know yet take the chat out of the archive.
      const known = isArchived && seq !== undefined ? { archivedSeq: seq } : {};
      change(chatroomId, 'place', { isPinned: false, isArchived, ...known });
    },
    mute: (chatroomId, duration) =>
      change(chatroomId, 'mute', { mutedUntil: duration === undefined ? null : endOf(duration) }),
    markUnread: (chatroomId) => change(chatroomId, 'mark', { isMarkedUnread: true }),
    markChatRead: async (chatroomId) => {
      const chat = find(chatroomId);
      if (chat?.isMarkedUnread) change(chatroomId, 'mark', { isMarkedUnread: false });
      const seq = chat?.last?.seq;
      if (!chat || chat.unread === 0 || seq === undefined) return;
      applyRead(stores, chatroomId, seq);
      await sendRead(chatroomId, seq);
    },
  };
}

function endOf(duration: MuteDuration): string {
  return duration === 'always' ? MUTED_ALWAYS : new Date(Date.now() + duration).toISOString();
}

/**
 * Clears the mark as unread of each chat that the user opens, also if the list is loaded later. Returns a
 * function that stops it.
 */
export function clearMarksOnOpening({
  chats,
  mutations,
  listed,
  view,
}: Pick<ClientStores, 'chats' | 'mutations' | 'listed' | 'view'>): () => void {
  /** The opened chat, until the server's list has told whether it is marked. */
  let opened: string | undefined;

  function clear(): void {
    if (opened === undefined) return;
    const chatroomId = opened;
    const { status, isFromCopy } = chats.getState();
    if (status === 'ready' && !isFromCopy) opened = undefined;
    const chat = listed.getState().chats.find(({ id }) => id === chatroomId);
    if (!chat?.isMarkedUnread) return;
    const key = settingsMutationKey(chatroomId, 'mark');
    mutations.getState().set(key, chatroomId, { isMarkedUnread: false });
  }

  const stops = [
    view.subscribe(({ chatroomId }, before) => {
      if (chatroomId === before.chatroomId) return;
      opened = chatroomId;
      clear();
    }),
    chats.subscribe(clear),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

import { compareChats, type ChatSettingsBody } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { muteEnd, type Chat } from '../stores/chat-list.ts';
import type { ChatsState } from '../stores/chats.ts';
import type { Mutation, MutationsState } from './mutations-store.ts';
import { parseSettingsMutation, withPendingSettings } from './pending-settings.ts';

/** An entry of the chat list as it is shown: with settings that the server has not confirmed yet. */
export interface ListedChat extends Chat {
  isArchived?: true;
  /** Whether the chat is muted now. */
  isMuted?: true;
  isMarkedUnread?: true;
}

/** The chat list as it is shown. Its status is that of the store `chats`. */
export interface ListedChatsState {
  chats: readonly ListedChat[];
}

interface ListedChatsStores {
  chats: StoreApi<ChatsState>;
  mutations: StoreApi<MutationsState>;
  listed: StoreApi<ListedChatsState>;
}

/** Maximum delay until the end of a mute is checked again, as the clock may change. Milliseconds. */
const CHECK_MS = 10 * 60 * 1_000;

/** Creates the store, which `watchListedChats` fills. */
export function createListedChatsStore(): StoreApi<ListedChatsState> {
  return createStore<ListedChatsState>()(() => ({ chats: [] }));
}

/**
 * Keeps the shown list current with the loaded list, the mutations and the clock. Unaffected entries keep
 * their identity. Returns a function that stops it.
 */
export function watchListedChats({ chats, mutations, listed }: ListedChatsStores): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    const now = Date.now();
    const before = new Map(listed.getState().chats.map((chat) => [chat.id, chat]));
    const pending = groupByChatroom(mutations.getState().mutations);
    const shown = chats.getState().chats.map((chat) => {
      const effective = withPendingSettings(chat, pending.get(chat.id) ?? []);
      const next = toListed(effective, now);
      const known = before.get(chat.id);
      return known && isSame(known, next) ? known : next;
    });
    const sorted = pending.size === 0 ? shown : shown.toSorted(compareChats);
    scheduleCheck(sorted, now);
    const isUnchanged =
      sorted.length === before.size &&
      sorted.every((chat, i) => chat === listed.getState().chats[i]);
    if (!isUnchanged) listed.setState({ chats: sorted });
  }

  function scheduleCheck(shown: readonly ListedChat[], now: number): void {
    clearTimeout(timer);
    const ends = shown.filter(({ isMuted }) => isMuted).map(({ settings }) => muteEnd(settings));
    if (ends.length === 0) return;
    const next = ends.reduce((a, b) => Math.min(a, b));
    timer = setTimeout(update, Math.min(next - now, CHECK_MS));
  }

  const stops = [
    chats.subscribe((state, before) => {
      if (state.chats !== before.chats) update();
    }),
    mutations.subscribe((state, before) => {
      if (state.mutations !== before.mutations) update();
    }),
  ];
  update();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

function groupByChatroom(mutations: readonly Mutation[]): ReadonlyMap<string, ChatSettingsBody[]> {
  const pending = new Map<string, ChatSettingsBody[]>();
  for (const mutation of mutations) {
    const body = parseSettingsMutation(mutation);
    if (body) pending.set(mutation.chatroomId, [...(pending.get(mutation.chatroomId) ?? []), body]);
  }
  return pending;
}

function toListed(chat: Chat, now: number): ListedChat {
  const { settings, status } = chat;
  // Requests have no settings.
  if (status === 'request') return chat;
  const { isArchived, isMarkedUnread } = settings;
  const isMuted = muteEnd(settings) > now;
  if (!isArchived && !isMarkedUnread && !isMuted) return chat;
  return {
    ...chat,
    ...(isArchived && { isArchived }),
    ...(isMuted && { isMuted }),
    ...(isMarkedUnread && { isMarkedUnread }),
  };
}

function isSame(a: ListedChat, b: ListedChat): boolean {
  const keys = Object.keys(b) as (keyof ListedChat)[];
  return (
    keys.length === Object.keys(a).length &&
    keys.every((key) =>
      key === 'settings' ? JSON.stringify(a[key]) === JSON.stringify(b[key]) : a[key] === b[key],
    )
  );
}

/**
 * Returns the number of unread messages in all chats. Requests, muted and archived chats do not count.
 */
export function selectTotalUnread({ chats }: ListedChatsState): number {
  return chats.reduce(
    (sum, { unread, status, isMuted, isArchived }) =>
      status === 'request' || isMuted || isArchived ? sum : sum + unread,
    0,
  );
}

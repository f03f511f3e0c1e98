import { compareChats } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import { selectChangesOfChats, withChangesOfChat } from '../outbox/changes/change-types.ts';
import type { DraftsState } from '../outbox/drafts.ts';
import type { OutboxState } from '../outbox/outbox-store.ts';
import { muteEnd, type Chat } from '../stores/chat-list.ts';
import type { ListedChat } from './listed-chat.ts';
import { getKnownChats, isInList, type ChatsState } from '../stores/chats.ts';

/** The chat list as it is shown. */
export interface ShownChatsState extends Pick<ChatsState, 'status' | 'isFromCopy' | 'error'> {
  chats: readonly ListedChat[];
}

/** Maximum delay until the end of a mute is checked again, as the clock may change. Milliseconds. */
const CHECK_MS = 10 * 60 * 1_000;

/**
 * Creates the store, which stays current with the loaded list, the outbox, the drafts and the clock until the signal
 * is aborted. Unaffected chats keep their identity.
 */
export function createShownChatsStore(
  chats: StoreApi<ChatsState>,
  outbox: StoreApi<OutboxState>,
  drafts: StoreApi<Pick<DraftsState, 'drafts'>>,
  signal: AbortSignal,
): StoreApi<ShownChatsState> {
  const store = createStore<ShownChatsState>()(() => ({
    status: 'loading',
    chats: [],
    isFromCopy: false,
    error: undefined,
  }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What the chats of the list were made of, by id. */
  let sources: ReadonlyMap<string, Source> = new Map();

  function update(): void {
    const now = Date.now();
    const current = store.getState();
    const { status, isFromCopy, error } = chats.getState();
    const next = listChats().map((chat) => {
      const known = sources.get(chat.id);
      const isMuted = muteEnd(chat.settings) > now;
      if (known?.chat === chat && known.isMuted === isMuted) return known;
      const listed = toListed(chat, isMuted);
      const isUnchanged = known && isSame(known.listed, listed);
      return { chat, isMuted, listed: isUnchanged ? known.listed : listed };
    });
    sources = new Map(next.map((source) => [source.chat.id, source]));
    const nextChats = next.map(({ listed }) => listed);
    scheduleCheck(nextChats, now);
    const listed = shallow(current.chats, nextChats) ? current.chats : nextChats;
    const changed: ShownChatsState = { status, isFromCopy, error, chats: listed };
    if (!shallow(current, changed)) store.setState(changed);
  }

  /** Returns the chats of the list in its order, with the changes that wait. */
  function listChats(): readonly Chat[] {
    const state = chats.getState();
    const { changes, entries } = outbox.getState();
    const unsent = new Set(Object.keys(drafts.getState().drafts));
    for (const { to } of entries) unsent.add(to.chatroomId ?? '');
    const deleted = Object.keys(state.unlisted).some((id) => unsent.has(id));
    if (changes.length === 0 && !deleted) return state.chats;
    const changesOf = selectChangesOfChats(changes);
    // The user may have unblocked the partner in a chat that is not listed.
    const all = state.status === 'ready' ? [...getKnownChats(state).values()] : state.chats;
    const changed = all.map((chat) => withChangesOfChat(chat, changesOf(chat.id)));
    return changed.filter((chat) => isInList(chat, unsent.has(chat.id))).toSorted(compareChats);
  }

  function scheduleCheck(listed: readonly ListedChat[], now: number): void {
    clearTimeout(timer);
    const muted = listed.filter(({ isMuted }) => isMuted);
    if (muted.length === 0) return;
    const end = Math.min(...muted.map(({ settings }) => muteEnd(settings)));
    timer = setTimeout(update, Math.min(end - now, CHECK_MS));
  }

  const unsubscribe = [
    chats.subscribe(update),
    outbox.subscribe((state, before) => {
      if (state.changes !== before.changes || state.entries !== before.entries) update();
    }),
    drafts.subscribe((state, before) => {
      if (!shallow(Object.keys(state.drafts), Object.keys(before.drafts))) update();
    }),
  ];
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    unsubscribe.forEach((stop) => stop());
  });
  update();
  return store;
}

/** What a chat of the list was made of. */
interface Source {
  readonly chat: Chat;
  readonly isMuted: boolean;
  readonly listed: ListedChat;
}

function toListed(chat: Chat, isMuted: boolean): ListedChat {
  const { settings, status } = chat;
  // Requests have no settings.
  if (status === 'request') return chat;
  const { isArchived, isMarkedUnread } = settings;
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

import { LIMITS, type Changes } from '@parley/contract';
import type { ClientCore } from '../client-core.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { getKnownChats } from '../stores/chats.ts';
import { withChanges } from '../stores/loaded-chatroom.ts';
import { withCurrentWindow } from '../stores/message-window.ts';
import { getLoadedChatrooms } from '../stores/loaded-chatrooms.ts';
import { releaseMessages } from './release-messages.ts';

/** Maximum number of requests for a batch of chatrooms. After so many, loading the newest pages is cheaper. */
const REQUESTS_MAX = 100;

/** The dependencies of a resync. */
export interface ResyncDeps extends Pick<ClientCore, 'api' | 'stores'> {
  /** Applies the state of a chat, of which `before` was known at the request. */
  applyChat: (chat: Chat, before: Chat | undefined) => void;
}

/**
 * Resyncs the chatrooms in memory: all, or the given one. Resolves to the chatrooms that must be
 * reloaded: those whose state on the server is older, for example after a backup was restored.
 * Rejects with an `ApiError`.
 */
export async function resyncChatrooms(
  deps: ResyncDeps,
  chatroomId?: string,
): Promise<ReadonlySet<string>> {
  const loaded = getLoadedChatrooms(deps.stores.rooms.getState()).map(({ id }) => id);
  const ids = loaded.filter((id) => chatroomId === undefined || id === chatroomId);
  const outdated = new Set<string>();
  for (let start = 0; start < ids.length; start += LIMITS.changesChatroomsMax) {
    const batch = ids.slice(start, start + LIMITS.changesChatroomsMax);
    await resyncBatch(deps, batch, outdated);
  }
  return outdated;
}

async function resyncBatch(
  deps: ResyncDeps,
  ids: readonly string[],
  outdated: Set<string>,
): Promise<void> {
  const { api, stores } = deps;
  let hasMore = true;
  for (let requests = 0; hasMore; requests += 1) {
    if (requests === REQUESTS_MAX) {
      ids.forEach((id) => outdated.add(id));
      break;
    }
    const loaded = getLoadedChatrooms(stores.rooms.getState()).filter(({ id }) => ids.includes(id));
    if (loaded.length === 0) return;
    const since = Object.fromEntries(loaded.map(({ id, rev }) => [id, rev]));
    const before = getKnownChats(stores.chats.getState());
    const changes = await api.call('listChanges', { body: { since } });
    for (const { chat, rev } of changes.rooms) {
      const known = loaded.find(({ id }) => id === chat.chatId);
      if (known && (rev < known.rev || chat.memberRev < known.memberRev)) outdated.add(known.id);
    }
    const hasAdvanced = changes.rooms.some(({ chat, rev }) => rev > (since[chat.chatId] ?? 0));
    applyChanges(deps, changes, before);
    // Prevents an endless loop if a server reports more changes but sends none.
    hasMore = changes.hasMore && hasAdvanced;
  }
  for (const id of ids) if (!outdated.has(id)) stores.rooms.getState().setResynced(id);
}

function applyChanges(
  { stores, applyChat }: ResyncDeps,
  changes: Changes,
  before: ReadonlyMap<string, Chat>,
): void {
  const { rooms, outbox, quotes } = stores;
  for (const room of changes.rooms) {
    const chat = toChat(room.chat);
    applyChat(chat, before.get(chat.id));
    rooms.getState().update(chat.id, (known) => withCurrentWindow(withChanges(known, room)));
    releaseMessages(stores, chat.id);
    for (const { clientId } of room.updated) {
      if (clientId !== undefined) outbox.getState().confirm(clientId, chat.id);
    }
    for (const message of room.updated) quotes.getState().update(message);
    for (const { _id } of room.deleted) quotes.getState().setDeleted(_id);
  }
  // A request that was declined on another device.
  for (const id of changes.gone) {
    rooms.getState().setEntry(id, { status: 'missing', isHidden: true });
  }
}

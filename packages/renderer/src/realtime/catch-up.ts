import { LIMITS, type Changes } from '@parley/contract';
import { fetchChanges } from '../api/chatrooms.ts';
import type { ApiClient } from '../api/client.ts';
import { useChats } from '../stores/chats.ts';
import { useOutbox } from '../stores/outbox.ts';
import { withChanges, type Room } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';

/** Brings rooms in memory up to date with the server: all, or the one given. Rejects with an `ApiError`. */
export async function catchUp(api: ApiClient, chatId?: string): Promise<void> {
  const rooms = loadedRooms().filter(({ id }) => chatId === undefined || id === chatId);
  for (let start = 0; start < rooms.length; start += LIMITS.changesRoomsMax) {
    const batch = rooms.slice(start, start + LIMITS.changesRoomsMax);
    await catchUpBatch(
      api,
      batch.map(({ id }) => id),
    );
  }
}

async function catchUpBatch(api: ApiClient, ids: string[]): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    const since = Object.fromEntries(
      loadedRooms()
        .filter(({ id }) => ids.includes(id))
        .map(({ id, rev }) => [id, rev]),
    );
    if (Object.keys(since).length === 0) return;
    const changes = await fetchChanges(api, { since });
    const hasMoved = changes.rooms.some(({ chatId, rev }) => rev > (since[chatId] ?? 0));
    applyChanges(changes);
    // A server that promises more and gives nothing must not be asked for ever.
    hasMore = changes.hasMore && hasMoved;
  }
}

function applyChanges(changes: Changes): void {
  const { update, setEntry } = useRooms.getState();
  for (const room of changes.rooms) {
    update(room.chatId, (known) => withChanges(known, room));
    for (const { clientId } of room.updated) {
      if (clientId !== undefined) useOutbox.getState().remove(clientId);
    }
    useChats.getState().setUnread(room.chatId, room.unreadMessagesCount);
  }
  for (const id of changes.gone) setEntry(id, { status: 'missing' });
}

function loadedRooms(): Room[] {
  return Object.values(useRooms.getState().rooms).flatMap((entry) =>
    entry.status === 'ready' ? [entry.room] : [],
  );
}

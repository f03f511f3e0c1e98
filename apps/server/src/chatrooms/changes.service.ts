import type { Changes, ChangesBody } from '@parley/contract';
import {
  findChatStates,
  toViewedChat,
  type ChatStateRow,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import type { Allowance } from '../messages/bounded-read.ts';
import { readChanges, responseAllowance } from '../messages/history.service.ts';
import type { ViewedChat, ViewedMessage } from '../viewed-message.ts';
import { takeTurn } from '../scheduling/time-slices.ts';

/** The changes of a chatroom, before they get their wire format. */
type ChangedChatroom = Omit<Changes['rooms'][number], 'chat' | 'updated'> & {
  chat: ViewedChat;
  updated: ViewedMessage[];
};

/**
 * Number of chatrooms to read per turn of the event loop. Each may have thousands of unread
 * messages to count.
 */
const BATCH_SIZE = 25;

/** The changes collected so far, and how much more fits into the response. */
interface CollectedChanges {
  rooms: ChangedChatroom[];
  remaining: Allowance;
  hasMore: boolean;
}

/** Default for the maximum number of messages and deletions in a response. */
const DEFAULT_LIMIT = 500;

/**
 * Returns the changes in the given chatrooms since the given revisions. Includes unchanged
 * chatrooms, because read positions and the partner's account change without a new revision. For a
 * revision that the server never issued, as after a restored backup, returns the actual revision and
 * no changes. A full response omits the remaining chatrooms and changes, but contains at least one
 * change, so clients that repeat the request eventually receive all of them.
 */
export async function listChangesSince(
  ctx: Context,
  userId: string,
  { since, limit = DEFAULT_LIMIT }: ChangesBody,
): Promise<Omit<Changes, 'rooms'> & { rooms: ChangedChatroom[] }> {
  const requested = new Map(Object.entries(since));
  const ids = [...requested.keys()].toSorted();
  const collected: CollectedChanges = {
    rooms: [],
    remaining: responseAllowance(limit),
    hasMore: false,
  };
  const gone: string[] = [];
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    if (from > 0) await takeTurn();
    const batch = ids.slice(from, from + BATCH_SIZE);
    gone.push(...(await readBatch(ctx, userId, batch, requested, collected)));
  }
  return { rooms: collected.rooms, gone, hasMore: collected.hasMore };
}

/**
 * Adds the changes of some chatrooms to `collected`. Returns the ids of chatrooms that are not the
 * user's. Uses a single read, so that the counts and messages of a chatroom are consistent.
 */
function readBatch(
  { storage }: Context,
  userId: string,
  ids: readonly string[],
  requested: ReadonlyMap<string, number>,
  collected: CollectedChanges,
): Promise<string[]> {
  return storage.read(async (db) => {
    const rows = await findChatStates(db, ids, userId);
    for (const row of rows) {
      const from = requested.get(row.id) ?? 0;
      const room = toUnchangedChatroom(row);
      if (from < row.last_rev) {
        // The response is full. The client requests this chatroom again.
        if (collected.remaining.rows === 0 || collected.remaining.bytes === 0) {
          collected.hasMore = true;
          continue;
        }
        const changes = await readChanges(db, row.id, userId, from, collected.remaining);
        collected.remaining = changes.remaining;
        room.updated = changes.updated;
        room.deleted = changes.deleted;
        room.rev = changes.hasMore ? (changes.rev ?? from) : row.last_rev;
        collected.hasMore ||= changes.hasMore;
      }
      collected.rooms.push(room);
    }
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  });
}

function toUnchangedChatroom(row: ChatStateRow): ChangedChatroom {
  return { chat: toViewedChat(row), rev: row.last_rev, updated: [], deleted: [] };
}

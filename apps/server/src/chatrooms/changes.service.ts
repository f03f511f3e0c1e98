import { setImmediate as nextTurn } from 'node:timers/promises';
import { DELETED_USER, type Changes, type ChangesBody } from '@parley/contract';
import type { Context } from '../context.ts';
import type { Allowance } from '../messages/bounded-read.ts';
import { readChanges, responseAllowance } from '../messages/history.service.ts';
import { findRooms, type RoomRow } from './chatroom.repository.ts';

type ChangedRoom = Changes['rooms'][number];

/** Rooms that are read in one turn of the event loop: each may have thousands of unread messages to count. */
const ROOM_SLICE = 25;

/** What was found so far, and how much more fits into the response. */
interface ChangedRooms {
  rooms: ChangedRoom[];
  left: Allowance;
  hasMore: boolean;
}

/** Messages and deletions that one answer holds at most, where the request does not say. */
const LIMIT_DEFAULT = 500;

/**
 * What changed in the given rooms since the given revisions. Every room of the reader's that is
 * complete with this answer is in it, changed or not, as read positions and the partner's account
 * change without a revision. A revision that the server never gave, as after a restored backup, is
 * answered with the room's real one and no changes. An answer without room for everything holds at
 * least one change, so that whoever repeats becomes complete.
 */
export async function listChangesSince(
  ctx: Context,
  userId: string,
  { since, limit = LIMIT_DEFAULT }: ChangesBody,
): Promise<Changes> {
  const asked = new Map(Object.entries(since));
  const ids = [...asked.keys()].toSorted();
  const found: ChangedRooms = {
    rooms: [],
    left: responseAllowance(limit),
    hasMore: false,
  };
  const gone: string[] = [];
  for (let from = 0; from < ids.length; from += ROOM_SLICE) {
    if (from > 0) await nextTurn();
    const slice = ids.slice(from, from + ROOM_SLICE);
    gone.push(...(await readSlice(ctx, userId, slice, asked, found)));
  }
  return { rooms: found.rooms, gone, hasMore: found.hasMore };
}

/**
 * Adds the changes of some rooms to what was found. Returns the ids that are none of the reader's. One
 * read, so that the counts and messages of a room are of the same moment.
 */
function readSlice(
  { storage, config }: Context,
  userId: string,
  ids: readonly string[],
  asked: ReadonlyMap<string, number>,
  found: ChangedRooms,
): Promise<string[]> {
  return storage.read(async (db) => {
    const rows = await findRooms(db, ids, userId);
    for (const row of rows) {
      const from = asked.get(row.id) ?? 0;
      const room = unchanged(row);
      if (from < row.last_rev) {
        // This room's turn comes with the next request.
        if (found.left.rows === 0 || found.left.bytes === 0) {
          found.hasMore = true;
          continue;
        }
        const changes = await readChanges(config, db, row.id, from, found.left);
        found.left = changes.left;
        room.updated = changes.updated;
        room.deleted = changes.deleted;
        room.rev = changes.rev ?? row.last_rev;
        found.hasMore ||= changes.hasMore;
      }
      found.rooms.push(room);
    }
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  });
}

function unchanged(row: RoomRow): ChangedRoom {
  return {
    chatId: row.id,
    rev: row.last_rev,
    updated: [],
    deleted: [],
    partnerName: row.partner_name ?? DELETED_USER,
    readSeq: row.read_seq,
    unreadMessagesCount: row.unread,
  };
}

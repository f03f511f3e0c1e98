import { DELETED_USER, type Changes, type ChangesBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { ANSWER_BYTES, readBounded } from '../messages/bounded-read.ts';
import { listChanges, type ChangeRow } from '../messages/message.repository.ts';
import { toDeletedMessage, toMessage } from '../messages/message.wire.ts';
import { findRooms, type RoomRow } from './chatroom.repository.ts';

type ChangedRoom = Changes['rooms'][number];

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
  // One read, so that counts and messages are of the same moment.
  return ctx.storage.read(async (db) => {
    const rows = await findRooms(db, [...asked.keys()], userId);
    const rooms: ChangedRoom[] = [];
    let left = { rows: limit, bytes: ANSWER_BYTES };
    let hasMore = false;
    for (const row of rows) {
      const from = asked.get(row.id) ?? 0;
      const room = unchanged(row);
      if (from < row.last_rev) {
        // This room's turn comes with the next request.
        if (left.rows === 0 || left.bytes === 0) {
          hasMore = true;
          continue;
        }
        const changes = await readBounded<ChangeRow>(left, (last, count) =>
          listChanges(db, row.id, last?.rev ?? from, count),
        );
        ({ left } = changes);
        for (const change of changes.rows) {
          if (change.deleted_at === null) room.updated.push(toMessage(ctx.config, change));
          else room.deleted.push(toDeletedMessage(change));
        }
        room.rev = changes.rows.at(-1)?.rev ?? row.last_rev;
        hasMore ||= changes.hasMore;
      }
      rooms.push(room);
    }
    const found = new Set(rows.map(({ id }) => id));
    return { rooms, gone: [...asked.keys()].filter((id) => !found.has(id)), hasMore };
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

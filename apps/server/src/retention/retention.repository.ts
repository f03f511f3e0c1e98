import { sql } from 'kysely';
import type { Reader } from '../storage/storage.ts';

/** A message that is old enough to go, with what its deletion needs. */
export interface OldMessage {
  id: string;
  chatroom_id: string;
  seq: number;
  media_id: string | null;
  deleted_at: number | null;
  /** Of its content. */
  bytes: number;
}

/** Messages between two ids, deleted ones included, in the order of their ids and so of their age. */
export async function findOldMessages(
  db: Reader,
  afterId: string,
  beforeId: string,
  limit: number,
): Promise<OldMessage[]> {
  return db
    .selectFrom('messages as message')
    .select([
      'message.id',
      'message.chatroom_id',
      'message.seq',
      'message.media_id',
      'message.deleted_at',
      sql<number>`octet_length(message.content)`.as('bytes'),
    ])
    .where('message.id', '>', afterId)
    .where('message.id', '<', beforeId)
    .orderBy('message.id')
    .limit(limit)
    .execute();
}

/** The members of rooms, by room. */
export async function findMembers(
  db: Reader,
  roomIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('chatroom_members')
    .select(['chatroom_id', 'user_id'])
    .where('chatroom_id', 'in', roomIds)
    .execute();
  const members = new Map<string, string[]>();
  for (const { chatroom_id, user_id } of rows) {
    members.set(chatroom_id, [...(members.get(chatroom_id) ?? []), user_id]);
  }
  return members;
}

/** The files of uploads. */
export async function findFiles(db: Reader, mediaIds: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('media').select('file').where('id', 'in', mediaIds).execute();
  return rows.map((row) => row.file);
}

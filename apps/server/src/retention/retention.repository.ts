import { sql } from 'kysely';
import type { ReceivingMember } from '../messages/recipients.ts';
import type { Reader } from '../storage/storage.ts';

/** An expired message with the columns that are needed to delete it. */
export interface OldMessage {
  id: string;
  chatroom_id: string;
  seq: number;
  sender_id: string | null;
  withheld: number;
  media_id: string | null;
  deleted_at: number | null;
  /** Size of its content. */
  bytes: number;
}

/** Finds messages between two ids (exclusive), including deleted ones, oldest first. */
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
      'message.sender_id',
      'message.withheld',
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

/** A member with the columns that decide which events the member receives. */
interface MessageRecipient extends ReceivingMember {
  user_id: string;
  own_cleared_seq: number;
}

/** Finds the members of chatrooms, by chatroom. */
export async function findMembers(
  db: Reader,
  chatroomIds: readonly string[],
): Promise<Map<string, MessageRecipient[]>> {
  const rows = await db
    .selectFrom('chatroom_members')
    .select(['chatroom_id', 'user_id', 'consent', 'blocked_at', 'cleared_seq', 'own_cleared_seq'])
    .where('chatroom_id', 'in', chatroomIds)
    .execute();
  return Map.groupBy(rows, ({ chatroom_id }) => chatroom_id);
}

/** Returns the files of uploads. */
export async function findFiles(db: Reader, mediaIds: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('media').select('file').where('id', 'in', mediaIds).execute();
  return rows.map((row) => row.file);
}

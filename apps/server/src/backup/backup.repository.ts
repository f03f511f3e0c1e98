import type { Reader } from '../storage/storage.ts';

/** Finds the message that uses an upload's file. */
export function findMessageOfFile(
  db: Reader,
  file: string,
): Promise<{ id: string; chatroom_id: string; media_id: string | null } | undefined> {
  return db
    .selectFrom('messages as message')
    .innerJoin('media', 'media.id', 'message.media_id')
    .select(['message.id', 'message.chatroom_id', 'message.media_id'])
    .where('media.file', '=', file)
    .executeTakeFirst();
}

import type { Reader } from '../storage/storage.ts';

/** The message that shows an upload. */
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

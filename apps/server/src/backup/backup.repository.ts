import type { Reader, Writer } from '../storage/storage.ts';

/** The files of all uploads. */
export async function listMediaFiles(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('media').select('file').orderBy('id').execute();
  return rows.map(({ file }) => file);
}

/** Whether an upload has this file. */
export async function hasUpload(db: Reader, file: string): Promise<boolean> {
  const row = await db.selectFrom('media').select('id').where('file', '=', file).executeTakeFirst();
  return row !== undefined;
}

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

/** Deletes the upload with a file. */
export async function deleteUpload(trx: Writer, file: string): Promise<void> {
  await trx.deleteFrom('media').where('file', '=', file).execute();
}

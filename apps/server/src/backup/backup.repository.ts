import type SQLite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { buryMessage } from '../messages/message.repository.ts';

/** The files of all uploads. */
export function listMediaFiles(sqlite: SQLite.Database): string[] {
  return sqlite.prepare<[], string>('select file from media order by id').pluck().all();
}

/**
 * Takes uploads out of a snapshot whose files were deleted after it was made, with their messages.
 * @throws if the live database still has one of them: then its file is missing, not deleted.
 */
export async function dropUploads(
  live: Kysely<Database>,
  snapshot: Kysely<Database>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) {
    const kept = await live
      .selectFrom('media')
      .select('id')
      .where('file', '=', file)
      .executeTakeFirst();
    if (kept !== undefined) {
      throw Object.assign(new Error(`the file of an upload is missing: media/${file}`), {
        code: 'MEDIA_MISSING',
        path: `media/${file}`,
      });
    }
    await snapshot.transaction().execute(async (trx) => {
      const message = await trx
        .selectFrom('messages as message')
        .innerJoin('media', 'media.id', 'message.media_id')
        .innerJoin('chatrooms as room', 'room.id', 'message.chatroom_id')
        .select([
          'message.id',
          'message.chatroom_id',
          'message.seq',
          'message.media_id',
          'room.last_rev',
        ])
        .where('media.file', '=', file)
        .executeTakeFirst();
      if (message !== undefined) {
        await buryMessage(trx, { ...message, rev: message.last_rev + 1 }, Date.now());
      }
      await trx.deleteFrom('media').where('file', '=', file).execute();
    });
  }
}

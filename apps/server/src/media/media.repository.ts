import { sql, type ExpressionBuilder, type Insertable, type Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticSelect } from '../storage/static-query.ts';
import type { Tables } from '../storage/tables/index.ts';
import type { MediaTable } from '../storage/tables/media.ts';

/** What it takes to send an upload's file. */
export type ReadableMedia = Pick<Selectable<MediaTable>, 'mime' | 'is_blocked'>;

/** An upload that is old enough to have been used. */
export interface OldUpload {
  id: string;
  /** Whether a message refers to it: 0 or 1. */
  used: number;
}

function messageUsing(eb: ExpressionBuilder<Tables, 'media'>) {
  return eb
    .selectFrom('messages')
    .select('messages.id')
    .whereRef('messages.media_id', '=', 'media.id');
}

/** Records an upload whose file is in its place. */
export async function insertUpload(trx: Writer, row: Insertable<MediaTable>): Promise<void> {
  await trx.insertInto('media').values(row).execute();
}

/** How many uploads of a person, made since an id, no message uses. */
export async function countUnusedUploads(
  db: Reader,
  ownerId: string,
  sinceId: string,
): Promise<number> {
  const row = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('id', '>', sinceId)
    .where((eb) => eb.not(eb.exists(messageUsing(eb))))
    .executeTakeFirstOrThrow();
  return row.count;
}

const selectReadable = staticSelect<{ file: string; userId: string }, ReadableMedia>((db, param) =>
  db
    .selectFrom('media')
    .select(['mime', 'is_blocked'])
    .where('file', '=', param('file'))
    .where((eb) =>
      eb.or([
        eb('owner_id', '=', param('userId')),
        eb.exists(
          eb
            .selectFrom('messages')
            .innerJoin('chatroom_members', (join) =>
              join
                .onRef('chatroom_members.chatroom_id', '=', 'messages.chatroom_id')
                .on('chatroom_members.user_id', '=', param('userId')),
            )
            // The sender is the owner: what an ended account sent is hidden at once.
            .innerJoin('users', 'users.id', 'messages.sender_id')
            .select('messages.id')
            .whereRef('messages.media_id', '=', 'media.id')
            .where('users.ended_at', 'is', null),
        ),
      ]),
    ),
);

/** An upload, if a person made it or is a member of the room whose message uses it. */
export async function findReadable(
  db: Reader,
  file: string,
  userId: string,
): Promise<ReadableMedia | undefined> {
  return (await selectReadable(db, { file, userId })).rows[0];
}

/** Recordings whose duration has not been looked for yet. */
export function listUnmeasured(db: Reader, limit: number): Promise<{ id: string; file: string }[]> {
  return db
    .selectFrom('media')
    .select(['id', 'file'])
    .where('kind', '=', sql.lit('audio'))
    .where('duration_ms', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Stores the durations of some recordings, those that were deleted meanwhile left out. */
export async function setDurations(
  trx: Writer,
  durations: readonly { id: string; durationMs: number }[],
): Promise<void> {
  for (const { id, durationMs } of durations) {
    await trx.updateTable('media').set({ duration_ms: durationMs }).where('id', '=', id).execute();
  }
}

/** Uploads after one id and before another, in the order of their making. */
export async function listUploads(
  db: Reader,
  afterId: string,
  beforeId: string,
  limit: number,
): Promise<OldUpload[]> {
  return db
    .selectFrom('media')
    .select((eb) => [
      'id',
      eb
        .case()
        .when(eb.exists(messageUsing(eb)))
        .then(1)
        .else(0)
        .end()
        .as('used'),
    ])
    .where('id', '>', afterId)
    .where('id', '<', beforeId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes those of some uploads that no message uses. Returns their files. */
export async function deleteUnusedUploads(trx: Writer, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .deleteFrom('media')
    .where('id', 'in', ids)
    .where((eb) => eb.not(eb.exists(messageUsing(eb))))
    .returning('file')
    .execute();
  return rows.map((row) => row.file);
}

/** Those of some files that belong to an upload. */
export async function findKnownFiles(db: Reader, files: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('media').select('file').where('file', 'in', files).execute();
  return new Set(rows.map((row) => row.file));
}

/** The files of all uploads. */
export async function listFiles(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('media').select('file').orderBy('id').execute();
  return rows.map(({ file }) => file);
}

/** Whether an upload has this file. */
export async function hasUpload(db: Reader, file: string): Promise<boolean> {
  const row = await db.selectFrom('media').select('id').where('file', '=', file).executeTakeFirst();
  return row !== undefined;
}

/** Deletes the upload with a file. */
export async function deleteUpload(trx: Writer, file: string): Promise<void> {
  await trx.deleteFrom('media').where('file', '=', file).execute();
}

/** Whether an account exists that was not deleted. */
export async function hasAccount(db: Reader, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

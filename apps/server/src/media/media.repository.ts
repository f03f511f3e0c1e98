import { sql, type ExpressionBuilder, type Insertable, type Selectable } from 'kysely';
import { CONDITIONS } from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticFind } from '../storage/static-query.ts';
import type { Tables } from '../storage/tables/index.ts';
import { isVisibleTo } from '../storage/visibility.ts';
import type { MediaTable } from '../storage/tables/media.table.ts';

/** The columns that are needed to send an upload's file. */
export type ReadableMedia = Pick<Selectable<MediaTable>, 'file' | 'mime' | 'size' | 'is_blocked'>;

/** An upload old enough to be removed if it is unused. */
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

/** The row of a new upload. */
export type NewUpload = Insertable<MediaTable>;

/** Inserts an upload whose file is already in place. */
export async function insertUpload(trx: Writer, row: NewUpload): Promise<void> {
  await trx.insertInto('media').values(row).execute();
}

/** Counts the user's uploads after an id that no message uses. */
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

/** Finds an upload that the user owns and has not sent, or that a message visible to the user uses. */
export const findReadable = staticFind<{ id: string; userId: string }, ReadableMedia>((db, param) =>
  db
    .selectFrom('media')
    .select(['file', 'mime', 'size', 'is_blocked'])
    .where('id', '=', param('id'))
    .where((eb) =>
      eb.or([
        eb.and([eb('owner_id', '=', param('userId')), eb.not(eb.exists(messageUsing(eb)))]),
        eb.exists(
          eb
            .selectFrom('messages')
            .innerJoin('chatroom_members', (join) =>
              join
                .onRef('chatroom_members.chatroom_id', '=', 'messages.chatroom_id')
                .on('chatroom_members.user_id', '=', param('userId')),
            )
            // The sender is the owner. Uploads of a deleted account are hidden immediately.
            .innerJoin('users', 'users.id', 'messages.sender_id')
            .select('messages.id')
            .whereRef('messages.media_id', '=', 'media.id')
            .where('users.ended_at', 'is', null)
            .where(isVisibleTo('messages', 'chatroom_members'))
            .where(hasSentOrHasChatroom(param('userId'))),
        ),
      ]),
    ),
);

/** Whether a user has sent a message or still has its chatroom. */
function hasSentOrHasChatroom(userId: string) {
  return (eb: ExpressionBuilder<Tables, 'messages' | 'chatroom_members'>) =>
    eb.or([eb('messages.sender_id', '=', userId), CONDITIONS.hasChatroom('chatroom_members')]);
}

/** What a message shows, for a copy of it. */
export type CopyableMedia = Pick<
  Selectable<MediaTable>,
  | 'kind'
  | 'mime'
  | 'size'
  | 'file'
  | 'width'
  | 'height'
  | 'inspected_rules'
  | 'is_blocked'
  | 'duration_ms'
  | 'peaks'
>;

/**
 * Finds a message that the user sees, with its upload, whose columns are null for a text. Returns
 * undefined if the message does not exist, is deleted or is not visible to the user.
 */
export function findVisibleMessage(
  db: Reader,
  messageId: string,
  userId: string,
): Promise<{ [Key in keyof CopyableMedia]: CopyableMedia[Key] | null } | undefined> {
  return db
    .selectFrom('messages')
    .innerJoin('chatroom_members', (join) =>
      join
        .onRef('chatroom_members.chatroom_id', '=', 'messages.chatroom_id')
        .on('chatroom_members.user_id', '=', userId),
    )
    .innerJoin('users', 'users.id', 'messages.sender_id')
    .leftJoin('media', 'media.id', 'messages.media_id')
    .select([
      'media.kind',
      'media.mime',
      'media.size',
      'media.file',
      'media.width',
      'media.height',
      'media.inspected_rules',
      'media.is_blocked',
      'media.duration_ms',
      'media.peaks',
    ])
    .where('messages.id', '=', messageId)
    .where('messages.deleted_at', 'is', null)
    .where('users.ended_at', 'is', null)
    .where(isVisibleTo('messages', 'chatroom_members'))
    .where(hasSentOrHasChatroom(userId))
    .executeTakeFirst();
}

/** Lists recordings whose duration has not been determined yet. */
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

/** Stores durations. Skips recordings that were deleted in the meantime. */
export async function setDurations(
  trx: Writer,
  durations: readonly { id: string; durationMs: number }[],
): Promise<void> {
  for (const { id, durationMs } of durations) {
    await trx.updateTable('media').set({ duration_ms: durationMs }).where('id', '=', id).execute();
  }
}

/** Lists uploads between two ids (exclusive), oldest first. */
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

/** Deletes those of the given uploads that no message uses. Returns their files. */
export async function deleteUnusedUploads(trx: Writer, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .deleteFrom('media')
    .where('id', 'in', ids)
    .where((eb) => eb.not(eb.exists(messageUsing(eb))))
    .returning('file')
    .execute();
  return rows.map((row) => row.file);
}

/** Returns those of the given files that belong to an upload or an export. */
export async function findKnownFiles(db: Reader, files: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('media')
    .select('file')
    .where('file', 'in', files)
    .unionAll(
      db
        .selectFrom('exports')
        .select((eb) => eb.ref('file').$notNull().as('file'))
        .where('file', 'in', files),
    )
    .execute();
  return new Set(rows.map((row) => row.file));
}

/** Returns those of the given ids that belong to an upload. */
export async function findKnownIds(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('media').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lists the files of all uploads, oldest first. */
export async function listMediaFiles(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('media').select('file').orderBy('id').execute();
  return rows.map(({ file }) => file);
}

/** Returns whether an upload has this file. */
export async function hasUpload(db: Reader, file: string): Promise<boolean> {
  const row = await db.selectFrom('media').select('id').where('file', '=', file).executeTakeFirst();
  return row !== undefined;
}

/** Deletes the row of the upload with this file. */
export async function deleteUpload(trx: Writer, file: string): Promise<void> {
  await trx.deleteFrom('media').where('file', '=', file).execute();
}

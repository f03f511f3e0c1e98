import { DELETED_USER, LIMITS, type ExportFailure } from '@parley/contract';
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { ExportsTable } from '../storage/tables/exports.table.ts';
import type { Tables } from '../storage/tables/index.ts';

/** A row of the table `exports`. */
export type ExportRow = Selectable<ExportsTable>;

/** An export as its user sees it. */
export interface ListedExport extends ExportRow {
  /** `deletedUser` if the account was deleted; null if it is not an export of one chat. */
  partner_name: string | null;
}

function selectExports(db: Reader, userId: string) {
  return db
    .selectFrom('exports')
    .leftJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'exports.chatroom_id')
        .on('partner.user_id', '<>', userId),
    )
    .leftJoin('users as partner_user', (join) =>
      join.onRef('partner_user.id', '=', 'partner.user_id').on('partner_user.ended_at', 'is', null),
    )
    .selectAll('exports')
    .select((eb) =>
      eb
        .case()
        .when('exports.chatroom_id', 'is', null)
        .then(null)
        .else(eb.fn.coalesce('partner_user.username', eb.val(DELETED_USER)))
        .end()
        .as('partner_name'),
    )
    .where('exports.user_id', '=', userId);
}

/** Selects the exports that have not expired. */
function hasNotExpired(finishedAfter: number) {
  return (eb: ExpressionBuilder<Tables, 'exports'>) =>
    eb.or([eb('finished_at', 'is', null), eb('finished_at', '>', finishedAfter)]);
}

/** Returns the exports of a user that have not expired, newest first. */
export function findExports(
  db: Reader,
  userId: string,
  finishedAfter: number,
): Promise<ListedExport[]> {
  return selectExports(db, userId)
    .where(hasNotExpired(finishedAfter))
    .orderBy('exports.created_at', 'desc')
    .orderBy('exports.id', 'desc')
    .execute();
}

/** Finds an export of a user by its id. */
export function findExport(
  db: Reader,
  userId: string,
  id: string,
): Promise<ListedExport | undefined> {
  return selectExports(db, userId).where('exports.id', '=', id).executeTakeFirst();
}

/** Returns whether a user has an export that is not finished. */
export async function hasUnfinishedExport(db: Reader, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('exports')
    .select('id')
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts an export. */
export async function insertExport(trx: Writer, row: Insertable<ExportsTable>): Promise<void> {
  await trx.insertInto('exports').values(row).execute();
}

/**
 * Deletes the oldest exports of a user beyond the number that is kept, apart from those that have expired. Returns their
 * files.
 */
export async function deleteSurplusExports(
  trx: Writer,
  userId: string,
  finishedAfter: number,
): Promise<string[]> {
  const surplus = await trx
    .selectFrom('exports')
    .select('id')
    .where('user_id', '=', userId)
    .where(hasNotExpired(finishedAfter))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(LIMITS.exportsMax - 1)
    .limit(LIMITS.exportsMax)
    .execute();
  const files: string[] = [];
  for (const { id } of surplus) files.push(...((await deleteExportRow(trx, userId, id)) ?? []));
  return files;
}

/** Deletes an export of a user. Returns its files, or undefined if it does not exist. */
export async function deleteExportRow(
  trx: Writer,
  userId: string,
  id: string,
): Promise<string[] | undefined> {
  const row = await trx
    .deleteFrom('exports')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('file')
    .executeTakeFirst();
  return row && filesOf([row]);
}

/** Deletes the exports that finished before a time. Returns their files. */
export async function deleteExpiredExports(trx: Writer, finishedBefore: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('exports')
    .where('finished_at', '<=', finishedBefore)
    .returning('file')
    .execute();
  return filesOf(rows);
}

/** A file that can be downloaded, of any user. */
export type ReadyFile = Pick<ExportRow, 'id'> & { file: string; size: number };

function selectReady(db: Reader) {
  return db
    .selectFrom('exports')
    .select((eb) => [
      'id',
      eb.ref('file').$notNull().as('file'),
      eb.ref('size').$notNull().as('size'),
    ])
    .where('status', '=', 'ready');
}

/** Lists the files of all exports that are ready. */
export function listReadyFiles(db: Reader): Promise<ReadyFile[]> {
  return selectReady(db).execute();
}

/** Finds the file that has been ready for longest. */
export function findOldestReadyFile(db: Reader): Promise<ReadyFile | undefined> {
  return selectReady(db).orderBy('finished_at').orderBy('id').limit(1).executeTakeFirst();
}

/** Returns the total size in bytes of the files that are ready. */
export async function sumReadySizes(db: Reader): Promise<number> {
  const { bytes } = await db
    .selectFrom('exports')
    .select((eb) => eb.fn.sum<number | null>('size').as('bytes'))
    .where('status', '=', 'ready')
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

/**
 * Turns an export that is ready into one that failed, which is shown for as long. Returns false if it has been deleted.
 * The caller deletes the file.
 */
export async function withdrawExport(
  trx: Writer,
  { id, file }: Pick<ReadyFile, 'id' | 'file'>,
  failure: ExportFailure,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('exports')
    .set({ status: 'failed', failure, file: null, size: null })
    .where('id', '=', id)
    .where('file', '=', file)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether an export finished before a time. */
export async function hasExpiredExport(db: Reader, finishedBefore: number): Promise<boolean> {
  const row = await db
    .selectFrom('exports')
    .select('id')
    .where('finished_at', '<=', finishedBefore)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all exports, such as those in a backup, which has no files of them. */
export async function deleteAllExports(trx: Writer): Promise<void> {
  await trx.deleteFrom('exports').execute();
}

/** Finds the oldest export to make, of an account that can use it. */
export function findNextExport(db: Reader): Promise<ExportRow | undefined> {
  return db
    .selectFrom('exports')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .selectAll('exports')
    .where('exports.finished_at', 'is', null)
    .where('users.ended_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .orderBy('exports.created_at')
    .orderBy('exports.id')
    .limit(1)
    .executeTakeFirst();
}

/** What changes while an export is made. */
type ExportChanges = Partial<
  Pick<
    ExportRow,
    'status' | 'failure' | 'attempts' | 'done' | 'total' | 'file' | 'size' | 'finished_at'
  >
>;

/**
 * Changes an export that is not finished. Returns false if it was deleted, or another attempt has begun.
 * @param file the file of the attempt, or null before the first one
 */
export async function changeExport(
  trx: Writer,
  { id, file }: Pick<ExportRow, 'id' | 'file'>,
  changes: ExportChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('exports')
    .set(changes)
    .where('id', '=', id)
    .where('file', file === null ? 'is' : '=', file)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The changes that end an export without a file. */
export function failedChanges(failure: ExportFailure, now: number): ExportChanges {
  return { status: 'failed', failure, file: null, finished_at: now };
}

function filesOf(rows: readonly Pick<ExportRow, 'file'>[]): string[] {
  return rows.flatMap(({ file }) => file ?? []);
}

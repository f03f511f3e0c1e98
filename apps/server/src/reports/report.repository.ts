import type { MessageKind } from '@parley/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { isVisibleToPartner } from '../storage/visibility.ts';
import type {
  ReportFilePartsTable,
  ReportMessagesTable,
  ReportsTable,
} from '../storage/tables/reports.table.ts';

/** A message that a report will contain. */
export interface ReportableMessage {
  id: string;
  kind: MessageKind;
  content: string;
  created_at: number;
  updated_at: number;
  /** File of the upload; null for text. */
  file: string | null;
  mime: string | null;
  size: number | null;
}

/** Finds those of the partner's messages with the given ids that the user can see, oldest first. */
export async function findReportableMessages(
  db: Reader,
  chatroomId: string,
  userId: string,
  partnerId: string,
  ids: readonly string[],
): Promise<ReportableMessage[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('messages as message')
    .innerJoin('chatroom_members as me', 'me.chatroom_id', 'message.chatroom_id')
    .leftJoin('media', 'media.id', 'message.media_id')
    .select([
      'message.id',
      'message.kind',
      'message.content',
      'message.created_at',
      'message.updated_at',
      'media.file',
      'media.mime',
      'media.size',
    ])
    .where('message.id', 'in', ids)
    .where('message.chatroom_id', '=', chatroomId)
    .where('message.sender_id', '=', partnerId)
    .where('message.deleted_at', 'is', null)
    .where('me.user_id', '=', userId)
    .where(isVisibleToPartner('message', 'me'))
    .orderBy('message.seq')
    .execute();
}

/** A report to insert. */
export interface NewReport extends Omit<Insertable<ReportsTable>, 'is_complete'> {
  reporter_id: string;
}

/** Inserts a report without messages, which is incomplete. */
export async function insertReport(trx: Writer, row: NewReport): Promise<void> {
  await trx
    .insertInto('reports')
    .values({ ...row, is_complete: 0 })
    .execute();
}

/** Marks a report as complete, after all of its messages and files were inserted. */
export async function setComplete(trx: Writer, id: string): Promise<void> {
  await trx.updateTable('reports').set({ is_complete: 1 }).where('id', '=', id).execute();
}

/** Inserts the copy of a message into a report. */
export async function insertReportMessage(
  trx: Writer,
  row: Insertable<ReportMessagesTable>,
): Promise<void> {
  await trx.insertInto('report_messages').values(row).execute();
}

/** Inserts the next part of the copy of a file. */
export async function insertFilePart(
  trx: Writer,
  row: Insertable<ReportFilePartsTable>,
): Promise<void> {
  await trx.insertInto('report_file_parts').values(row).execute();
}

/** Counts the parts of all copied files. */
export async function countFileParts(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('report_file_parts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A report as operators see it. Times are in UTC milliseconds. */
export interface ReportRow extends Pick<
  Selectable<ReportsTable>,
  'id' | 'created_at' | 'closed_at' | 'reason' | 'comment'
> {
  /** Null if the reporter's account was deleted. */
  reporter: string | null;
  reported: string;
  /** Number of messages. */
  messages: number;
}

/** Starts a query of the complete reports about accounts that are not deleted. */
function selectReports(db: Reader) {
  return db
    .selectFrom('reports')
    .innerJoin('users as reported', 'reported.id', 'reports.reported_id')
    .leftJoin('users as reporter', (join) =>
      join.onRef('reporter.id', '=', 'reports.reporter_id').on('reporter.ended_at', 'is', null),
    )
    .where('reported.ended_at', 'is', null)
    .where('reports.is_complete', '=', 1);
}

function withColumns(query: ReturnType<typeof selectReports>) {
  return query.select((eb) => [
    'reports.id',
    'reports.created_at',
    'reports.closed_at',
    'reports.reason',
    'reports.comment',
    'reporter.username as reporter',
    'reported.username as reported',
    eb
      .selectFrom('report_messages')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('report_messages.report_id', '=', 'reports.id')
      .$asScalar()
      .$notNull()
      .as('messages'),
  ]);
}

/** Returns the open reports, or all, oldest first. */
export async function listReports(
  db: Reader,
  { hasClosed }: { hasClosed: boolean },
): Promise<ReportRow[]> {
  return withColumns(selectReports(db))
    .$if(!hasClosed, (query) => query.where('reports.closed_at', 'is', null))
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .execute();
}

/** Finds a report by its id. */
export async function findReport(db: Reader, id: string): Promise<ReportRow | undefined> {
  return withColumns(selectReports(db)).where('reports.id', '=', id).executeTakeFirst();
}

/** Counts the open reports, or those that were created before a time in UTC milliseconds. */
export async function countOpenReports(
  db: Reader,
  createdBefore: number = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const row = await selectReports(db)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('reports.closed_at', 'is', null)
    .where('reports.created_at', '<', createdBefore)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The copy of a reported message. */
export interface ReportMessageRow extends Selectable<ReportMessagesTable> {
  /** Size of the copy of its file; 0 if there is none. */
  bytes: number;
}

/** Finds the copies of the messages of a report, in their order. */
export async function findReportMessages(
  db: Reader,
  reportId: string,
): Promise<ReportMessageRow[]> {
  return db
    .selectFrom('report_messages')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('report_file_parts')
        .select(sql<number>`coalesce(sum(length(data)), 0)`.as('bytes'))
        .whereRef('report_file_parts.report_message_id', '=', 'report_messages.id')
        .$asScalar()
        .$notNull()
        .as('bytes'),
    )
    .where('report_id', '=', reportId)
    .orderBy('position')
    .execute();
}

/** Returns the copy of a reported message's file, in parts. */
export async function readReportFile(db: Reader, reportMessageId: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('report_file_parts')
    .select('data')
    .where('report_message_id', '=', reportMessageId)
    .orderBy('part')
    .execute();
  return rows.map(({ data }) => data);
}

/** A report as its reporter sees it. Times are in UTC milliseconds. */
export interface OwnReportRow extends Pick<
  Selectable<ReportsTable>,
  'created_at' | 'reason' | 'comment'
> {
  /** Null if the account was deleted. */
  reported: string | null;
  /** Number of messages. */
  messages: number;
}

/** Returns the complete reports that a user has sent, oldest first. */
export function listReportsBy(db: Reader, userId: string): Promise<OwnReportRow[]> {
  return db
    .selectFrom('reports')
    .leftJoin('users as reported', (join) =>
      join.onRef('reported.id', '=', 'reports.reported_id').on('reported.ended_at', 'is', null),
    )
    .select((eb) => [
      'reports.created_at',
      'reports.reason',
      'reports.comment',
      'reported.username as reported',
      eb
        .selectFrom('report_messages')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('report_messages.report_id', '=', 'reports.id')
        .$asScalar()
        .$notNull()
        .as('messages'),
    ])
    .where('reports.reporter_id', '=', userId)
    .where('reports.is_complete', '=', 1)
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .execute();
}

/** Marks a report as closed. */
export async function setClosed(trx: Writer, id: string, now: number): Promise<void> {
  await trx.updateTable('reports').set({ closed_at: now }).where('id', '=', id).execute();
}

/** Finds a report that was closed, or is incomplete and was begun, before a time in UTC milliseconds. */
export async function findEndedReport(
  db: Reader,
  { closedBefore, begunBefore }: { closedBefore: number; begunBefore: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reports')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('closed_at', '<', closedBefore),
        eb.and([eb('is_complete', '=', 0), eb('created_at', '<', begunBefore)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns whether a report exists, complete or not. */
export async function hasReport(db: Reader, id: string): Promise<boolean> {
  const row = await db.selectFrom('reports').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Finds a report about an account. */
export async function findReportAbout(db: Reader, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('reports')
    .select('id')
    .where('reported_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Removes an account and its comments from the reports that it has sent. */
export async function detachReporter(trx: Writer, userId: string): Promise<void> {
  await trx
    .updateTable('reports')
    .set({ reporter_id: null, comment: '' })
    .where('reporter_id', '=', userId)
    .execute();
}

/** Removes the data of up to `limit` file parts of a report. Returns their number. */
export async function clearFileParts(
  trx: Writer,
  reportId: string,
  limit: number,
): Promise<number> {
  const result = await trx
    .updateTable('report_file_parts')
    .set({ data: Buffer.alloc(0) })
    .where((eb) =>
      eb(
        eb.refTuple('report_message_id', 'part'),
        'in',
        eb
          .selectFrom('report_file_parts as filled')
          .innerJoin('report_messages', 'report_messages.id', 'filled.report_message_id')
          .select(['filled.report_message_id', 'filled.part'])
          .where('report_messages.report_id', '=', reportId)
          .where(sql<number>`length(filled.data)`, '>', 0)
          .limit(limit)
          .$asTuple('report_message_id', 'part'),
      ),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Removes the texts of up to `limit` messages of a report. Returns their number. */
export async function clearTexts(trx: Writer, reportId: string, limit: number): Promise<number> {
  const result = await trx
    .updateTable('report_messages')
    .set({ content: '' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('report_messages as filled')
        .select('filled.id')
        .where('filled.report_id', '=', reportId)
        .where('filled.content', '<>', '')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Deletes a report whose files and texts are removed. */
export async function deleteReport(trx: Writer, id: string): Promise<void> {
  // SQLite may copy the data of a row when it merges pages, so the comment is removed first.
  await trx.updateTable('reports').set({ comment: '' }).where('id', '=', id).execute();
  await trx.deleteFrom('reports').where('id', '=', id).execute();
}

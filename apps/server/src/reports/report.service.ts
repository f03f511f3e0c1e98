import { cleanText, type ReportBody } from '@parley/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../storage/ids.ts';
import { readMediaUsage } from '../quotas/quota.service.ts';
import { hasChatroom } from '../relationships/relationship.ts';
import { hasAccount } from '../storage/has-account.ts';
import { findRelationship } from '../storage/relationships.ts';
import type { Reader, WriteContext, Writer } from '../storage/storage.ts';
import * as repository from './report.repository.ts';

export {
  countOpenReports,
  detachReporter,
  listReports,
  listReportsBy,
  readReportFile,
  type ReportMessageRow,
  type ReportRow,
} from './report.repository.ts';

/** Maximum total size of the files of a report in bytes, unless it is one file. */
const FILES_MAX = 10 * 2 ** 20;
/** Size of a part of a file's copy in bytes. The schema allows no larger ones. */
export const PART_SIZE = 64 * 1024;

/** Bytes that are inserted in one write, so that other writes do not wait long. */
const INSERTED_BYTES = 256 * 1024;

/** Number of file parts and of texts that are erased at once: about 256 KiB. */
const ERASED_PARTS = 4;
const ERASED_TEXTS = 6;

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds after which a closed report is erased. */
export const CLOSED_RETENTION = 30 * DAY;
/** Milliseconds after which a report is erased whose server ended before it was complete. */
export const INCOMPLETE_RETENTION = 60 * 60 * 1000;

/** A message to report, with the parts of its file. */
interface Copy {
  readonly message: repository.ReportableMessage;
  /** Empty for text, and if the file is missing. */
  readonly parts: readonly Buffer[];
}

/**
 * Reports the partner in a chatroom to the operator, with copies of messages that the partner has
 * sent. Holds up to 10 MiB of files in memory, or a single larger one.
 * @throws {AppError} `room_not_found`, `partner_deleted`, `message_not_found` if one of the messages
 * is not visible to the reporter or not the partner's, `too_large` if several files are larger
 * than 10 MiB in total, `storage_full`, `unauthenticated` if the reporter's account was just deleted.
 */
export async function createReport(
  ctx: Context,
  reporterId: string,
  body: ReportBody,
): Promise<void> {
  const ids = [...new Set(body.messageIds.map((id) => id.toLowerCase()))];
  const comment = cleanText((body.comment ?? '').toWellFormed());
  const { partnerId, messages } = await ctx.storage.read((db) =>
    findReportable(db, body.chatroom.toLowerCase(), reporterId, ids),
  );
  const sizes = messages.map((message) => message.size ?? 0).filter((each) => each > 0);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  // Any single file can be reported.
  if (size > FILES_MAX && sizes.length > 1) throw new AppError('too_large');
  if (size > 0) await assertSpaceForFiles(ctx, size);
  else await ctx.disk.assertSpaceForMessage();
  const copies = await readCopies(ctx, messages);

  const row: repository.NewReport = {
    id: newId(),
    created_at: Date.now(),
    closed_at: null,
    reporter_id: reporterId,
    reported_id: partnerId,
    reason: body.reason,
    comment,
  };
  try {
    await insertInParts(ctx, row, copies);
  } catch (error) {
    await eraseReport(ctx, row.id).catch((err: unknown) => {
      ctx.log.warn({ err, report: row.id }, 'the sweep erases an incomplete report');
    });
    throw error;
  }
  ctx.metrics.recordReport();
  ctx.log.info({ report: row.id }, 'a user was reported to the operator');
}

/**
 * Asserts that there is space for copies of files. They count towards the quota of all uploads,
 * because several users can report the same file and thereby multiply it.
 * @throws {AppError} `storage_full`
 */
async function assertSpaceForFiles(ctx: Context, size: number): Promise<void> {
  await ctx.disk.assertSpaceForUpload();
  const { mediaTotal } = ctx.config.quotas;
  if (mediaTotal === undefined) return;
  const { bytes } = await readMediaUsage(ctx);
  const copied = PART_SIZE * (await ctx.storage.read(repository.countFileParts));
  if (bytes + copied + size > mediaTotal) throw new AppError('storage_full');
}

async function findReportable(
  db: Reader,
  chatroomId: string,
  reporterId: string,
  ids: readonly string[],
): Promise<{ partnerId: string; messages: repository.ReportableMessage[] }> {
  const found = await findRelationship(db, chatroomId, reporterId);
  if (found === undefined || !hasChatroom(found)) throw new AppError('room_not_found');
  const { partner_id: partnerId } = found;
  if (partnerId === null) throw new AppError('partner_deleted');
  const messages = await repository.findReportableMessages(
    db,
    chatroomId,
    reporterId,
    partnerId,
    ids,
  );
  if (messages.length < ids.length) throw new AppError('message_not_found');
  return { partnerId, messages };
}

async function readCopies(
  ctx: Pick<Context, 'media'>,
  messages: readonly repository.ReportableMessage[],
): Promise<Copy[]> {
  const copies: Copy[] = [];
  let allowed = FILES_MAX;
  for (const message of messages) {
    const parts = await readParts(ctx, message, allowed);
    for (const part of parts) allowed -= part.length;
    copies.push({ message, parts });
  }
  return copies;
}

/**
 * Reads the file of a message. Returns no parts if there is none.
 * @throws {AppError} `too_large` if it has more than `allowed` bytes.
 */
async function readParts(
  { media }: Pick<Context, 'media'>,
  { file, size }: repository.ReportableMessage,
  allowed: number,
): Promise<Buffer[]> {
  if (file === null) return [];
  const handle = await media.open(file, { size: size ?? undefined });
  if (handle === undefined) return [];
  try {
    // An inspection may have replaced the file since its row was read.
    const { size: length } = await handle.stat();
    if (length > allowed) throw new AppError('too_large');
    const parts: Buffer[] = [];
    for (let start = 0; start < length; start += PART_SIZE) {
      const part = Buffer.alloc(Math.min(PART_SIZE, length - start));
      const { bytesRead } = await handle.read(part, 0, part.length, start);
      parts.push(part.subarray(0, bytesRead));
    }
    return parts;
  } finally {
    await handle.close();
  }
}

/**
 * Inserts a report in as many writes as its size requires. Until the last one, operators do not see it.
 * @throws {AppError} `unauthenticated` or `partner_deleted` if the account of a member ends meanwhile.
 */
async function insertInParts(
  ctx: Pick<Context, 'storage'>,
  report: repository.NewReport,
  copies: readonly Copy[],
): Promise<void> {
  const writes = groupBySize(copies.flatMap((copy, i) => toInsertions(report.id, i, copy)));
  for (const [i, insertions] of writes.entries()) {
    const isLast = i === writes.length - 1;
    await ctx.storage.write(
      async ({ trx }) => {
        // Accounts never end during a concurrent write.
        if (!(await hasAccount(trx, report.reporter_id))) throw new AppError('unauthenticated');
        if (!(await hasAccount(trx, report.reported_id))) throw new AppError('partner_deleted');
        if (i === 0) await repository.insertReport(trx, report);
        for (const { insert } of insertions) await insert(trx);
        if (isLast) await repository.setComplete(trx, report.id);
      },
      { isConcurrent: true },
    );
  }
}

/** The insertion of one row. */
interface Insertion {
  readonly bytes: number;
  readonly insert: (trx: Writer) => Promise<void>;
}

function toInsertions(reportId: string, position: number, { message, parts }: Copy): Insertion[] {
  const id = newId();
  const row = {
    id,
    report_id: reportId,
    position,
    sent_at: message.created_at,
    updated_at: message.updated_at,
    kind: message.kind,
    content: message.content,
    mime: message.mime,
  };
  return [
    {
      bytes: Buffer.byteLength(message.content),
      insert: (trx) => repository.insertReportMessage(trx, row),
    },
    ...parts.map((data, part) => ({
      bytes: data.length,
      insert: (trx: Writer) =>
        repository.insertFilePart(trx, { report_message_id: id, part, data }),
    })),
  ];
}

/** Divides insertions into groups of about the bytes of one write. Returns at least one group. */
function groupBySize(insertions: readonly Insertion[]): Insertion[][] {
  let group: Insertion[] = [];
  const groups = [group];
  let bytes = 0;
  for (const insertion of insertions) {
    if (bytes + insertion.bytes > INSERTED_BYTES && group.length > 0) {
      group = [];
      groups.push(group);
      bytes = 0;
    }
    group.push(insertion);
    bytes += insertion.bytes;
  }
  return groups;
}

/** A report with the copies of its messages. */
export interface ReportDetails {
  readonly report: repository.ReportRow;
  readonly messages: readonly repository.ReportMessageRow[];
}

/** Finds a report with its messages, without their files. */
export async function findReportDetails(
  db: Reader,
  id: string,
): Promise<ReportDetails | undefined> {
  const report = await repository.findReport(db, id.toLowerCase());
  if (report === undefined) return undefined;
  return { report, messages: await repository.findReportMessages(db, report.id) };
}

/**
 * Closes a report, unless it is closed already. Returns when it was closed, in UTC milliseconds, or
 * undefined if there is none with this id.
 */
export async function closeReport({ trx }: WriteContext, id: string): Promise<number | undefined> {
  const report = await repository.findReport(trx, id.toLowerCase());
  if (report === undefined) return undefined;
  if (report.closed_at !== null) return report.closed_at;
  const now = Date.now();
  await repository.setClosed(trx, report.id, now);
  return now;
}

/**
 * Erases the next batch of the reports about an account. Returns whether any report remains.
 */
export async function eraseSomeReportsAbout(trx: Writer, userId: string): Promise<boolean> {
  const id = await repository.findReportAbout(trx, userId);
  if (id === undefined) return false;
  await eraseSomeOfReport(trx, id);
  return true;
}

/**
 * Erases reports that were closed 30 days ago, and incomplete ones of an hour ago, in batches with pauses as
 * long as the batches took.
 */
export async function eraseEndedReports(
  { storage }: Pick<Context, 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  const now = Date.now();
  const times = {
    closedBefore: now - CLOSED_RETENTION,
    begunBefore: now - INCOMPLETE_RETENTION,
  };
  while (!signal.aborted) {
    const startedAt = performance.now();
    const id = await storage.read((db) => repository.findEndedReport(db, times));
    if (id === undefined) return;
    await storage.write(({ trx }) => eraseSomeOfReport(trx, id));
    await sleep(performance.now() - startedAt);
  }
}

/** Erases a report in batches. */
async function eraseReport({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  while (await storage.read((db) => repository.hasReport(db, id))) {
    await storage.write(({ trx }) => eraseSomeOfReport(trx, id));
  }
}

/** Erases the next batch of a report: first its files, then its texts, then its rows. */
async function eraseSomeOfReport(trx: Writer, id: string): Promise<void> {
  if ((await repository.clearFileParts(trx, id, ERASED_PARTS)) > 0) return;
  if ((await repository.clearTexts(trx, id, ERASED_TEXTS)) > 0) return;
  await repository.deleteReport(trx, id);
}

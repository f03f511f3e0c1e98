import {
  isTimeZone,
  knownTimeZone,
  LIMITS,
  type DataExport,
  type ExportBody,
} from '@parley/contract';
import { getChatroom } from '../chatrooms/chatroom.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import type { StoredFile } from '../media-store/open-stored-file.ts';
import { hasAccount } from '../storage/has-account.ts';
import { newId } from '../storage/ids.ts';
import type { Storage } from '../storage/storage.ts';
import * as repository from './export.repository.ts';
import { withdrawLost } from './export-space.ts';

/**
 * Queues an export. It replaces the oldest one of the user if there are too many.
 * @throws {AppError} `room_not_found`, `invalid_request` if the time zone is unknown, `export_unfinished`, `storage_full`,
 * `unauthenticated` if the account has just been deleted
 */
export async function requestExport(
  ctx: Context,
  userId: string,
  { chatroom, language, timeZone }: ExportBody,
): Promise<DataExport> {
  const chatroomId = chatroom?.toLowerCase() ?? null;
  if (chatroomId !== null) await getChatroom(ctx, userId, chatroomId, { limit: 1 });
  if (!isTimeZone(timeZone)) throw new AppError('invalid_request');
  await ctx.disk.assertSpaceForExport(0);
  const id = newId();
  const { row, files } = await ctx.storage.write(async ({ trx, emit }) => {
    if (!(await hasAccount(trx, userId))) throw new AppError('unauthenticated');
    if (await repository.hasUnfinishedExport(trx, userId)) throw new AppError('export_unfinished');
    const files = await repository.deleteSurplusExports(trx, userId, oldestFinish());
    await repository.insertExport(trx, {
      id,
      user_id: userId,
      chatroom_id: chatroomId,
      language,
      time_zone: timeZone,
      status: 'waiting',
      failure: null,
      attempts: 0,
      done: 0,
      total: 0,
      file: null,
      size: null,
      created_at: Date.now(),
      finished_at: null,
    });
    emit({ type: 'export-queued' });
    return { row: await repository.findExport(trx, userId, id), files };
  });
  await removeFiles(ctx, files);
  if (row === undefined) throw new Error('the export is missing');
  return toDataExport(row);
}

/** Returns the exports of a user, newest first. */
export async function listExports(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
): Promise<DataExport[]> {
  const rows = await storage.read((db) => repository.findExports(db, userId, oldestFinish()));
  return rows.map((row) => toDataExport(row));
}

/**
 * Deletes an export of a user, or stops making it.
 * @throws {AppError} `not_found`
 */
export async function discardExport(ctx: Context, userId: string, id: string): Promise<void> {
  const files = await ctx.storage.write(async ({ trx }) => {
    const deleted = await repository.deleteExportRow(trx, userId, id.toLowerCase());
    if (deleted === undefined) throw new AppError('not_found');
    return deleted;
  });
  await removeFiles(ctx, files);
}

/** The open file of an export. */
interface ExportFile {
  readonly opened: StoredFile;
  /** Names it in the media store. */
  readonly file: string;
  /** The name with which it is saved. */
  readonly name: string;
}

/**
 * Opens the file of an export of a user. The caller closes it.
 * @throws {AppError} `not_found` also if it is not ready, has expired, or its file is missing
 */
export async function openExportFile(
  ctx: Pick<Context, 'storage' | 'media' | 'log'>,
  userId: string,
  id: string,
): Promise<ExportFile> {
  const row = await ctx.storage.read((db) => repository.findExport(db, userId, id.toLowerCase()));
  if (row?.status !== 'ready' || row.file === null || (row.finished_at ?? 0) <= oldestFinish()) {
    throw new AppError('not_found');
  }
  const { file, size } = row;
  const opened = await ctx.media.openExport(file, size ?? 0);
  if (opened === undefined) {
    await withdrawLost(ctx, { id: row.id, file });
    throw new AppError('not_found');
  }
  return { opened, file, name: nameOf(row) };
}

/** Returns a name such as `parley-Ada-2026-11-30.zip`. */
function nameOf(row: repository.ListedExport): string {
  const day = new Intl.DateTimeFormat('en-CA', {
    timeZone: knownTimeZone(row.time_zone),
    dateStyle: 'short',
  }).format(row.created_at);
  return `parley-${row.partner_name === null ? '' : `${row.partner_name}-`}${day}.zip`;
}

/** Deletes the exports that have expired. */
export async function deleteExpired(ctx: Pick<Context, 'storage' | 'media'>): Promise<void> {
  const finishedBefore = oldestFinish();
  // Usually, none has.
  if (!(await ctx.storage.read((db) => repository.hasExpiredExport(db, finishedBefore)))) return;
  const files = await ctx.storage.write(({ trx }) =>
    repository.deleteExpiredExports(trx, finishedBefore),
  );
  await removeFiles(ctx, files);
}

/** Deletes the rows of all exports. Their files are orphaned. */
export function forgetExports({ write }: Pick<Storage, 'write'>): Promise<void> {
  return write(({ trx }) => repository.deleteAllExports(trx));
}

/** Deletes the files of deleted rows. The sweep deletes those that cannot be deleted now. */
async function removeFiles(
  { media }: Pick<Context, 'media'>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) await media.remove(file);
}

function oldestFinish(): number {
  return Date.now() - LIMITS.exportLifetime;
}

function toDataExport(row: repository.ListedExport): DataExport {
  const { chatroom_id: chatroom, partner_name: partnerName, finished_at: finishedAt } = row;
  return {
    id: row.id,
    ...(chatroom !== null && { chatroom }),
    ...(partnerName !== null && { partnerName }),
    status: row.status,
    done: row.done,
    total: row.total,
    ...(row.size !== null && { size: row.size }),
    ...(row.failure !== null && { failure: row.failure }),
    createdAt: new Date(row.created_at).toISOString(),
    ...(finishedAt !== null && {
      expiresAt: new Date(finishedAt + LIMITS.exportLifetime).toISOString(),
    }),
  };
}

import type { ExportFailure } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { fileErrorCode } from '../errors/file-error-code.ts';
import { createAlarm } from '../jobs/alarm.ts';
import { exportFileOf } from '../media-store/media-file-name.ts';
import type { Job } from '../storage/cluster.ts';
import { newId } from '../storage/ids.ts';
import { storageErrorCode } from '../storage/storage-errors.ts';
import {
  changeExport,
  deleteExportRow,
  failedChanges,
  findNextExport,
  type ExportRow,
} from './export.repository.ts';
import { deleteExpired } from './export.service.ts';
import { freeDiskOfExports, withdrawAllLost } from './export-space.ts';
import { makeExport } from './make-export.ts';

/** Milliseconds between two periodic runs. */
const RUN_INTERVAL = 60_000;

/** How often making an export is begun: it may be what ends the process. */
const ATTEMPTS_MAX = 3;

/** Milliseconds between two times at which the progress is stored. */
const PROGRESS_INTERVAL = 1_000;

/**
 * Creates the job that makes exports, one at a time, and deletes those that have expired or use space that others
 * need: at the start, whenever one is queued, and every minute. One that is interrupted begins again.
 * @param codeSecret the secret from which the codes of invitations are derived
 */
export function createExportJob(ctx: Context, codeSecret: string): Job {
  return async (signal) => {
    const alarm = createAlarm();
    const unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'export-queued') alarm.ring();
    });
    // A store that was moved, or a server of another version, may have left some without their files.
    await withdrawAllLost(ctx, signal).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'failed to look for the files of exports');
    });
    while (!signal.aborted) {
      try {
        await makeQueued(ctx, codeSecret, signal);
      } catch (error) {
        ctx.log.error({ err: error }, 'failed to make the queued exports, will retry');
      }
      await alarm.wait(RUN_INTERVAL, signal);
    }
    unsubscribe();
  };
}

async function makeQueued(ctx: Context, codeSecret: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Between two exports, too, as many may be queued.
    if (ctx.clock.isTrusted()) await deleteExpired(ctx);
    await freeDiskOfExports(ctx);
    const next = await ctx.storage.read(findNextExport);
    if (next === undefined) return;
    await makeNext(ctx, next, codeSecret, signal);
  }
}

/** Thrown if the export was deleted while it was made. */
class DeletedExportError extends Error {}

/** @throws an error that may pass, so that this is tried again later. */
async function makeNext(
  ctx: Context,
  row: ExportRow,
  codeSecret: string,
  signal: AbortSignal,
): Promise<void> {
  if (row.attempts >= ATTEMPTS_MAX) {
    await change(ctx, row, failedChanges('internal', Date.now()));
    return;
  }
  // A name of its own, so that an earlier attempt whose process still runs cannot interfere.
  const attempt = { id: row.id, file: exportFileOf(newId()) };
  const isBegun = await change(ctx, row, {
    status: 'running',
    file: attempt.file,
    attempts: row.attempts + 1,
    done: 0,
  });
  if (!isBegun) return;
  try {
    const progress = createProgress(ctx, attempt);
    const options = { signal, onProgress: progress.store, codeSecret };
    const size = await makeExport(ctx, row, attempt.file, options);
    const total = progress.total();
    const finished = {
      status: 'ready',
      size,
      done: total,
      total,
      finished_at: Date.now(),
    } as const;
    if (!(await change(ctx, attempt, finished))) throw new DeletedExportError();
  } catch (error) {
    const outcome = judge(error, signal);
    // A write whose outcome is unknown may have made it ready. If not, another attempt replaces the file.
    if (outcome !== 'retry') await ctx.media.remove(attempt.file);
    if (outcome === 'gone') {
      await ctx.storage.write(({ trx }) => deleteExportRow(trx, row.user_id, row.id));
    } else if (outcome === 'interrupted') {
      await change(ctx, attempt, { status: 'waiting', file: null, attempts: row.attempts });
    } else if (outcome === 'retry') {
      throw error;
    } else if (outcome !== 'deleted') {
      if (outcome === 'internal') ctx.log.error({ err: error }, 'failed to make an export');
      await change(ctx, attempt, failedChanges(outcome, Date.now()));
    }
  }
}

/** Returns what an error means for an export. */
function judge(
  error: unknown,
  signal: AbortSignal,
): ExportFailure | 'interrupted' | 'deleted' | 'gone' | 'retry' {
  if (signal.aborted) return 'interrupted';
  if (error instanceof DeletedExportError) return 'deleted';
  const code =
    error instanceof AppError ? error.code : (fileErrorCode(error) ?? storageErrorCode(error));
  if (code === 'unauthenticated') return 'deleted';
  if (code === 'room_not_found') return 'gone';
  if (code === 'unavailable') return 'retry';
  return code === 'storage_full' ? 'storage_full' : 'internal';
}

/** Creates what stores the progress of an attempt, but not too often. */
function createProgress(ctx: Context, attempt: Pick<ExportRow, 'id' | 'file'>) {
  let storedAt = -Infinity;
  let lastTotal = 0;
  return {
    store: async (done: number, total: number): Promise<void> => {
      lastTotal = total;
      if (performance.now() - storedAt < PROGRESS_INTERVAL) return;
      if (!(await change(ctx, attempt, { done, total }))) throw new DeletedExportError();
      storedAt = performance.now();
    },
    total: () => lastTotal,
  };
}

function change(
  { storage }: Pick<Context, 'storage'>,
  row: Pick<ExportRow, 'id' | 'file'>,
  changes: Parameters<typeof changeExport>[2],
): Promise<boolean> {
  return storage.write(({ trx }) => changeExport(trx, row, changes));
}

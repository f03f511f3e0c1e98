import type { ExportFailure } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import {
  findOldestReadyFile,
  listReadyFiles,
  sumReadySizes,
  withdrawExport,
  type ReadyFile,
} from './export.repository.ts';

/** @throws {AppError} `storage_full` if a file of this size would exceed the quota of all exports by itself */
export function assertExportQuota({ config }: Pick<Context, 'config'>, size: number): void {
  const { exportsTotal } = config.quotas;
  if (exportsTotal !== undefined && size > exportsTotal) throw new AppError('storage_full');
}

/**
 * Withdraws the oldest exports until a file of this size fits into the quota of all exports. Their users have had them
 * for longest, and rejecting the new one would let a few users keep all others from exporting for a day.
 * @throws {AppError} `storage_full` if it would exceed the quota by itself
 */
export async function makeRoomForExport(ctx: Context, size: number): Promise<void> {
  const { exportsTotal } = ctx.config.quotas;
  if (exportsTotal === undefined) return;
  assertExportQuota(ctx, size);
  while ((await ctx.storage.read(sumReadySizes)) + size > exportsTotal) await withdrawOldest(ctx);
}

/** Withdraws the oldest exports while the disk that they are on is too full, before uploads are rejected. */
export async function freeDiskOfExports(ctx: Context): Promise<void> {
  if (!ctx.media.isOnDisk) return;
  while (!(await ctx.disk.hasSpaceForExports()) && (await withdrawOldest(ctx)));
}

/** Withdraws an export whose file is missing, so that its user sees that and can request it again. */
export async function withdrawLost(
  ctx: Pick<Context, 'storage' | 'media' | 'log'>,
  lost: Pick<ReadyFile, 'id' | 'file'>,
): Promise<void> {
  if (await withdraw(ctx, lost, 'internal')) {
    ctx.log.warn('the file of an export is missing from the media store');
  }
}

/** Withdraws all exports whose files are missing. */
export async function withdrawAllLost(
  ctx: Pick<Context, 'storage' | 'media' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  for (const ready of await ctx.storage.read(listReadyFiles)) {
    if (signal.aborted) return;
    const opened = await ctx.media.openExport(ready.file, ready.size);
    if (opened === undefined) await withdrawLost(ctx, ready);
    else await opened.close();
  }
}

/** Withdraws the export that has been ready for longest. Returns false if there is none. */
async function withdrawOldest(ctx: Pick<Context, 'storage' | 'media'>): Promise<boolean> {
  const oldest = await ctx.storage.read(findOldestReadyFile);
  if (oldest === undefined) return false;
  await withdraw(ctx, oldest, 'storage_full');
  return true;
}

async function withdraw(
  { storage, media }: Pick<Context, 'storage' | 'media'>,
  ready: Pick<ReadyFile, 'id' | 'file'>,
  failure: ExportFailure,
): Promise<boolean> {
  const isWithdrawn = await storage.write(({ trx }) => withdrawExport(trx, ready, failure));
  // What remains of it, or its name of an earlier version.
  await media.remove(ready.file);
  return isWithdrawn;
}

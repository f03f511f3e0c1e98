import type { ExportFailure } from '@parley/contract';
import type { Context } from '../context.ts';
import { listReadyFiles, withdrawExport, type ReadyFile } from './export.repository.ts';

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

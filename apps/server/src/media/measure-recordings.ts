import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { SERVER_OWNER } from '../inspection/inspector.ts';
import { listUnmeasured, setDurations } from './media.repository.ts';

/** Number of recordings whose durations are written in one transaction. */
const BATCH_SIZE = 20;

/** The stored value of a duration that cannot be determined. */
const UNKNOWN = 0;

/**
 * Determines the duration of every recording that was stored without one, in small batches. Stops early
 * when `signal` is aborted; the next start continues.
 */
export async function measureRecordings(ctx: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const recordings = await ctx.storage.read((db) => listUnmeasured(db, BATCH_SIZE));
    if (recordings.length === 0) return;
    const durations: { id: string; durationMs: number }[] = [];
    for (const { id, file } of recordings) {
      if (signal.aborted) return;
      durations.push({ id, durationMs: await measure(ctx, file) });
      await nextTurn();
    }
    await ctx.storage.write(({ trx }) => setDurations(trx, durations));
  }
}

async function measure({ media, inspector, log }: Context, file: string): Promise<number> {
  const handle = await media.open(file);
  try {
    if (handle === undefined) throw new Error('the file is missing');
    const task = { fd: handle.fd, rules: 'stored' } as const;
    return (await inspector.inspect(SERVER_OWNER, task))?.durationMs ?? UNKNOWN;
  } catch (error) {
    // It says nothing about the file. The next start continues.
    if (error instanceof AppError) throw error;
    log.warn({ err: error }, 'could not determine the duration of a recording');
    return UNKNOWN;
  } finally {
    await handle?.close();
  }
}

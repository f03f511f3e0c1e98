import type { Context } from '../context.ts';
import { getFreeBytes } from '../files/free-bytes.ts';
import { deleteErasures, findErasures } from './erasure.repository.ts';

/** Disk space in bytes that rewriting needs in addition to two copies of the database. */
const RESERVE = 64 * 2 ** 20;

/**
 * Rewrites a database of an earlier version once, because its free pages contain deleted texts.
 * Rewriting is atomic; if it is interrupted, it is repeated at the next start. Without enough disk
 * space, the server starts anyway, logs how much it needs, and tries again at the next start.
 * @param measureFreeBytes returns the number of bytes available below a folder.
 */
export async function clearFreePages(
  {
    storage,
    maintenance,
    log,
    config,
  }: Pick<Context, 'storage' | 'maintenance' | 'log'> & { config: { dataDir: string } },
  measureFreeBytes: (folder: string) => Promise<number> = getFreeBytes,
): Promise<void> {
  const [queued] = await storage.read((db) => findErasures(db, 'free-pages', 0, 1));
  if (queued === undefined) return;
  const size = await maintenance.size();
  // A copy of the database, and the write-ahead log through which it replaces the original.
  const needed = 2 * size + RESERVE;
  const available = await measureFreeBytes(config.dataDir);
  if (available < needed) {
    log.warn(
      { needed, available },
      'The database still contains texts that were deleted with an earlier version. ' +
        `Removing them needs ${megabytes(needed)} of free space in the data folder, but only ` +
        `${megabytes(available)} is available. Free up space and restart the server; everything else works in the meantime.`,
    );
    return;
  }
  try {
    log.info({ size }, 'rewriting the database once to remove deleted texts');
    await maintenance.rewrite();
    await storage.write(({ trx }) => deleteErasures(trx, [queued.id]));
    await maintenance.truncateWriteAheadLog();
  } catch (error) {
    log.warn(
      { err: error },
      'Could not remove texts from the database that were deleted with an earlier version. ' +
        'The server will try again at its next start.',
    );
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}

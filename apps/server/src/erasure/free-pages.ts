import type { Context } from '../context.ts';
import { freeBytes } from '../files/free-bytes.ts';
import { deleteErasures, findErasures } from './erasure.repository.ts';

/** What rewriting needs beside two copies of the database, in bytes. */
const RESERVE = 64 * 2 ** 20;

/**
 * Rewrites a database of an earlier version once, as such databases keep deleted texts in their free
 * pages. Rewriting happens as a whole or not at all, so a start that is cut off tries again. Without
 * enough free space the server starts all the same, logs what it needs, and tries again at its next
 * start. `free` returns how many bytes can still be written below a folder.
 */
export async function clearFreePages(
  { storage, log, config }: Pick<Context, 'storage' | 'log'> & { config: { dataDir: string } },
  free: (folder: string) => Promise<number> = freeBytes,
): Promise<void> {
  const [queued] = await storage.read((db) => findErasures(db, 'free-pages', 0, 1));
  if (queued === undefined) return;
  const size = await storage.size();
  // The copy, and the log through which it replaces the original.
  const needed = 2 * size + RESERVE;
  const available = await free(config.dataDir);
  if (available < needed) {
    log.warn(
      { needed, available },
      'Texts that were deleted under an earlier version are still in free pages of the database. ' +
        `Removing them needs ${megabytes(needed)} of free space in the data folder, and there are ` +
        `${megabytes(available)}. Make room and restart the server; everything else works meanwhile.`,
    );
    return;
  }
  try {
    log.info({ size }, 'rewriting the database once, to remove texts that were deleted earlier');
    await storage.rewrite();
    await storage.write(({ trx }) => deleteErasures(trx, [queued.id]));
    await storage.cutLog();
  } catch (error) {
    log.warn(
      { err: error },
      'Texts that were deleted under an earlier version could not be removed from free pages of the ' +
        'database. The server tries again at its next start.',
    );
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}

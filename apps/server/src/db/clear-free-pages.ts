import type SQLite from 'better-sqlite3';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { deleteErasures, findErasures } from '../erasure/erasure.repository.ts';
import { freeBytes } from '../files/free-bytes.ts';
import type { Database } from './database.ts';
import { truncateLog } from './truncate-log.ts';

/** What rewriting needs beside two copies of the database, in bytes. */
const RESERVE = 64 * 2 ** 20;

/**
 * Rewrites a database of an earlier version once, as such databases keep deleted texts in their free
 * pages. SQLite does it as a whole or not at all, so a start that is cut off begins anew. Without
 * enough free space the server starts all the same, says so, and tries again at its next start.
 */
export async function clearFreePages({
  db,
  sqlite,
  log,
  dataDir,
  free = freeBytes,
}: {
  db: Kysely<Database>;
  sqlite: SQLite.Database;
  log: FastifyBaseLogger;
  dataDir: string;
  /** Bytes that may still be written below a folder. */
  free?: (folder: string) => Promise<number>;
}): Promise<void> {
  const [queued] = await findErasures(db, 'free-pages', 0, 1);
  if (queued === undefined) return;
  const pages = Number(sqlite.pragma('page_count', { simple: true }));
  const size = pages * Number(sqlite.pragma('page_size', { simple: true }));
  // The copy, and the log through which it takes the place of the original.
  const needed = 2 * size + RESERVE;
  const available = await free(dataDir);
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
    sqlite.exec('vacuum');
    await deleteErasures(db, [queued.id]);
    await truncateLog(db);
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

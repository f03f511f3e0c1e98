import type { Kysely, Transaction } from 'kysely';
import type { Database } from './database.ts';

/** Reads in one transaction, so that all of it tells of the same moment. */
export function readTogether<T>(
  db: Kysely<Database>,
  read: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().setAccessMode('read only').execute(read);
}

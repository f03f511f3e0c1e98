import { migrations } from '../migrations/index.ts';
import type { SchemaState } from '../schema.ts';
import type { Storage } from '../storage.ts';
import { openReadOnly } from './connection.ts';
import { createExecutor } from './dialect.ts';
import { readSchema } from './migrate.ts';
import { createReadPool } from './read-pool.ts';

/** A database file that is checked and not changed. Its methods throw an `SqliteError` for no database. */
export interface Inspection extends Pick<Storage, 'read' | 'close'> {
  /** What is wrong with the file, by the first finding; undefined if it is intact. */
  findDamage(): string | undefined;
  /** Whether rows refer to rows that do not exist. */
  hasBrokenReferences(): boolean;
  /** Which migrations the database has. */
  schema(): SchemaState;
}

/** Opens a database file for checks. */
export function inspectDatabase(file: string): Inspection {
  const sqlite = openReadOnly(file);
  const pool = createReadPool(createExecutor(), [sqlite]);
  return {
    read: (work) => pool.read(work),
    close: () => pool.close(),
    findDamage() {
      const result = String(sqlite.pragma('integrity_check(1)', { simple: true }));
      return result === 'ok' ? undefined : result;
    },
    hasBrokenReferences: () => (sqlite.pragma('foreign_key_check') as unknown[]).length > 0,
    schema: () => readSchema(sqlite, migrations),
  };
}

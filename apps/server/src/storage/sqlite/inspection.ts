import type { Inspection } from '../database.ts';
import { migrations } from '../migrations/index.ts';
import { openReadOnly } from './sqlite-connection.ts';
import { createExecutor } from './dialect.ts';
import { readSchema } from './migrate.ts';
import { findDatabaseId } from './database-id.ts';
import { createReadPool } from './read-pool.ts';
import { findSchemaDifference } from './schema-difference.ts';

/** Opens a database file for checks, read-only. */
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
    findSchemaDifference: () => findSchemaDifference(sqlite, migrations),
    id: () => findDatabaseId(file),
    schema: () => readSchema(sqlite, migrations),
  };
}

import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** The database could not be brought to this version's schema. The message is one sentence. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Brings a database to the newest schema and returns the names of the steps it took. Each step is a
 * transaction: a failed one leaves the database as the step before left it.
 * @throws {MigrationError} if a step fails, or if the database is of a newer version.
 */
export async function migrate<T>(
  db: Kysely<T>,
  migrations: Record<string, Migration>,
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => transactional(migrations) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) {
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  }
  const failed = results?.find((result) => result.status === 'Error');
  if (failed) {
    throw new MigrationError(
      `The database could not be upgraded: step ${failed.migrationName} failed, nothing of it was kept.`,
      { cause: error },
    );
  }
  throw new MigrationError(
    'The database belongs to another, probably newer, version of Parley and was left untouched.',
    { cause: error },
  );
}

// Kysely opens no transaction around SQLite migrations, so each step does.
function transactional(migrations: Record<string, Migration>): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      { up: (db: Kysely<unknown>) => db.transaction().execute((trx) => migration.up(trx)) },
    ]),
  );
}

import { migrations } from '../src/storage/migrations/index.ts';
import { databaseFile } from '../src/storage/open.ts';
import { openWritable } from '../src/storage/sqlite/sqlite-connection.ts';
import { migrate } from '../src/storage/sqlite/migrate.ts';

/** Name of the newest migration. */
export const NEWEST_SCHEMA = Object.keys(migrations).toSorted().at(-1);

/** Creates an empty database of this version in a folder, without a server. */
export async function createDataFolder(dataDir: string): Promise<void> {
  const sqlite = openWritable(databaseFile(dataDir));
  await migrate(sqlite, migrations);
  sqlite.close();
}

import { join } from 'node:path';
import { migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations/index.ts';
import { openDatabase } from '../src/db/open.ts';

/** The newest step of this version's schema. */
export const NEWEST_SCHEMA = Object.keys(migrations).toSorted().at(-1);

/** Makes an empty database of this version in a folder, without a server. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const { db } = openDatabase(join(dataDir, 'parley.db'));
  await migrate(db, migrations);
  await db.destroy();
}

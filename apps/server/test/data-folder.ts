import { join } from 'node:path';
import { migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations/index.ts';
import { openDatabase } from '../src/db/open.ts';

/** Makes an empty database of this version in a folder, without a server. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const { db } = openDatabase(join(dataDir, 'parley.db'));
  await migrate(db, migrations);
  await db.destroy();
}

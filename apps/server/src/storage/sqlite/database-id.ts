import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** File beside the database, because backups contain only the database. */
const ID_FILE = 'database-id';

/** Returns the id of a database, or undefined if it has none yet. */
export async function findDatabaseId(databaseFile: string): Promise<string | undefined> {
  try {
    return await readFile(idFile(databaseFile), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the random id of a database, which is created at first use. */
export async function loadDatabaseId(databaseFile: string): Promise<string> {
  const id = randomUUID();
  try {
    await writeFile(idFile(databaseFile), id, { flag: 'wx', mode: 0o600, flush: true });
    return id;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return readFile(idFile(databaseFile), 'utf8');
  }
}

function idFile(databaseFile: string): string {
  return join(dirname(databaseFile), ID_FILE);
}

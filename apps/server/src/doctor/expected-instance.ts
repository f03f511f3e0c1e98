import { statSync } from 'node:fs';
import { findInstanceId } from '../public-config/instance-id.ts';
import {
  databaseFile,
  inspectDatabase,
  openStorage,
  type DatabaseLocation,
} from '../storage/open.ts';

/** Which server belongs to the database of this command. */
export interface ExpectedInstance {
  /** Undefined if no server of this version has used it. */
  readonly id: string | undefined;
}

/** Returns which server belongs to a database. Returns undefined if it cannot be read; other checks say why. */
export async function readInstanceId(
  location: DatabaseLocation,
): Promise<ExpectedInstance | undefined> {
  const { dataDir, databaseUrl } = location;
  const file = databaseFile(dataDir);
  try {
    // Throws if it is unknown whether the file exists, such as in a folder of another user.
    const hasDatabase =
      databaseUrl !== undefined || statSync(file, { throwIfNoEntry: false }) !== undefined;
    if (!hasDatabase) return { id: undefined };
    const storage =
      databaseUrl === undefined
        ? inspectDatabase(file)
        : openStorage(location, { publish: () => undefined });
    try {
      return { id: await findInstanceId(storage) };
    } finally {
      await storage.close();
    }
  } catch {
    return undefined;
  }
}

import { statSync } from 'node:fs';
import { findInstanceId } from '../public-config/instance-id.ts';
import type { Inspection } from '../storage/database.ts';
import {
  databaseFile,
  inspectDatabase,
  openDatabase,
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
    const database = databaseUrl === undefined ? inspectDatabase(file) : openToRead(location);
    try {
      return { id: await findInstanceId(database, await database.id()) };
    } finally {
      await database.close();
    }
  } catch {
    return undefined;
  }
}

/** Opens a PostgreSQL database as {@link inspectDatabase} opens a file. */
function openToRead(location: DatabaseLocation): Pick<Inspection, 'read' | 'id' | 'close'> {
  const { storage, maintenance, close } = openDatabase(location);
  return { read: (work) => storage.read(work), id: () => maintenance.id(), close };
}

/** The part of a server's public configuration that is needed here. */
interface FoundConfig {
  readonly product?: unknown;
  readonly instance?: unknown;
}

/** Parses the public configuration of what responds; undefined if it is none. */
export function parseFoundConfig(body: string): FoundConfig | undefined {
  try {
    const value: FoundConfig | null = JSON.parse(body);
    return value ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a server uses the expected database, as far as it is known: servers of older versions, such as
 * those that are upgraded one after the other, do not say which one they use.
 */
export function isExpected(
  found: FoundConfig | undefined,
  expected: ExpectedInstance | undefined,
): boolean {
  if (expected === undefined) return true;
  if (found?.product !== 'parley') return false;
  return found.instance === undefined || found.instance === expected.id;
}

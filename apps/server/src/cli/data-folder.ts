import { accessSync, constants, statSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import { assertNoUnfinishedRestore } from '../files/unfinished-restore.ts';
import { findOtherServer } from '../doctor/local-server.ts';
import { createMediaStore } from '../media-store/create-media-store.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import type { Database } from '../storage/database.ts';
import { databaseFile, openDatabase } from '../storage/open.ts';
import type { Maintenance } from '../storage/maintenance.ts';
import { CommandError } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The opened data folder. A server may be using it at the same time. */
export interface DataFolder extends Pick<Database, 'storage' | 'maintenance'> {
  readonly config: Config;
  readonly media: MediaStore;
  readonly log: Context['log'];
}

/**
 * Opens the data folder for the duration of a callback.
 * @throws {CommandError} if it does not exist, belongs to another version or cannot be accessed.
 */
export async function withDataFolder<T>(
  { env, stderr }: Terminal,
  callback: (folder: DataFolder) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  await assertAccess(config);
  const log = pino({ level: 'silent' });
  const { storage, maintenance, close } = openDatabase(config);
  const media = createMediaStore({ ...config, mediaCacheBytes: 0 }, log);
  try {
    await assertCurrentSchema(maintenance);
    const other = await findOtherServer(config);
    if (other !== undefined) {
      stderr.write(
        `The server at ${other} uses another database than this command. If you mean that one, run this command ` +
          'with its variables.\n',
      );
    }
    return await callback({ config, storage, maintenance, media, log });
  } finally {
    await media.close();
    await close();
  }
}

/**
 * Asserts that the data folder contains a database that the current user can access. A PostgreSQL
 * database is not checked.
 * @throws {CommandError} if not, {@link UnfinishedRestoreError} if it contains only a part of a backup.
 */
export async function assertAccess(config: Config): Promise<void> {
  const { dataDir, databaseUrl } = config;
  assertNoUnfinishedRestore(dataDir);
  if (databaseUrl !== undefined) return;
  const file = databaseFile(dataDir);
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      throw new CommandError(
        `There is no database in ${dataDir}. ${await explainMissingDatabase(config)}`,
      );
    }
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw toAccessError(error, dataDir) ?? error;
  }
}

async function explainMissingDatabase(config: Config): Promise<string> {
  const other = await findOtherServer(config);
  return other === undefined
    ? 'Set PARLEY_DATA to the folder of your server.'
    : `The server at ${other} uses another folder: set PARLEY_DATA to it, and the other variables as for the server.`;
}

/**
 * Converts a permission error in the data folder to a {@link CommandError}; undefined for other
 * errors.
 */
export function toAccessError(error: unknown, dataDir: string): CommandError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EACCES' && code !== 'EPERM') return undefined;
  return new CommandError(
    `Access to ${dataDir} was denied. Run this command as the user who runs the server, or as root.`,
    { cause: error },
  );
}

async function assertCurrentSchema(maintenance: Maintenance): Promise<void> {
  const { done, pending, unknown } = await maintenance.schema();
  if (done.length === 0) {
    throw new CommandError(
      "The database has no tables of Parley. Start the server ('parley serve') to create them.",
    );
  }
  if (unknown.length > 0) {
    throw new CommandError(
      'The database was created by a newer version of Parley; use that version.',
    );
  }
  if (pending.length > 0) {
    throw new CommandError(
      "The database was created by an older version of Parley. Start the server ('parley serve') to upgrade it.",
    );
  }
}

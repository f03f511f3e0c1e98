import { statSync } from 'node:fs';
import { join } from 'node:path';
import type SQLite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { schemaState } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import { openDatabase } from '../db/open.ts';
import type { Unit } from '../db/write-queue.ts';
import type { DomainEvent } from '../events.ts';
import { leaveEvents } from '../operator/outside-event.repository.ts';
import { CommandError } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The data folder as a command sees it; a server may run on it at the same time. */
export interface DataFolder {
  readonly config: Config;
  readonly db: Kysely<Database>;
  readonly sqlite: SQLite.Database;
  readonly log: Context['log'];
  /** Writes in one transaction. The running server, if any, publishes the events. */
  write<T>(job: (unit: Unit) => Promise<T>): Promise<T>;
}

/**
 * Opens the data folder for a command.
 * @throws {CommandError} if there is none, or if it is of another version; a file system error if this
 * user may not look into it.
 */
export async function withDataFolder<T>(
  { env }: Terminal,
  work: (folder: DataFolder) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  const file = join(config.dataDir, 'parley.db');
  // Refused is not the same as missing: this throws for the first.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new CommandError(
      `There is no database in ${config.dataDir}. Set PARLEY_DATA to the folder of your server.`,
    );
  }
  const { db, sqlite } = openDatabase(file);
  try {
    await assertCurrent(db);
    return await work({
      config,
      db,
      sqlite,
      log: pino({ level: 'silent' }),
      write: (job) => writeAndTell(db, job),
    });
  } finally {
    await db.destroy();
  }
}

async function assertCurrent(db: Kysely<Database>): Promise<void> {
  const { pending, unknown } = await schemaState(db, migrations);
  if (unknown.length > 0) {
    throw new CommandError('The database was made by a newer version of Parley; use that version.');
  }
  if (pending.length > 0) {
    throw new CommandError(
      "The database is of an older version of Parley. Start the server once ('parley serve'): it upgrades it.",
    );
  }
}

function writeAndTell<T>(db: Kysely<Database>, job: (unit: Unit) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const events: DomainEvent[] = [];
    const result = await job({ trx, emit: (event) => events.push(event) });
    await leaveEvents(trx, events);
    return result;
  });
}

import { statSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import { databaseFile, openStorage } from '../storage/open.ts';
import type { Storage, WriteContext } from '../storage/storage.ts';
import type { DomainEvent } from '../events.ts';
import { leaveEvents } from '../operator/outside-event.repository.ts';
import { CommandError } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The data folder as a command sees it; a server may run on it at the same time. */
export interface DataFolder {
  readonly config: Config;
  readonly storage: Storage;
  readonly log: Context['log'];
  /** Writes in one transaction. The running server, if any, publishes the events. */
  write<T>(job: (write: WriteContext) => Promise<T>): Promise<T>;
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
  const file = databaseFile(config.dataDir);
  // Refused is not the same as missing: this throws for the first.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new CommandError(
      `There is no database in ${config.dataDir}. Set PARLEY_DATA to the folder of your server.`,
    );
  }
  const storage = openStorage(config.dataDir, { publish: () => undefined });
  try {
    await assertCurrent(storage);
    return await work({
      config,
      storage,
      log: pino({ level: 'silent' }),
      write: (job) => writeAndTell(storage, job),
    });
  } finally {
    await storage.close();
  }
}

async function assertCurrent(storage: Storage): Promise<void> {
  const { pending, unknown } = await storage.schema();
  if (unknown.length > 0) {
    throw new CommandError('The database was made by a newer version of Parley; use that version.');
  }
  if (pending.length > 0) {
    throw new CommandError(
      "The database is of an older version of Parley. Start the server once ('parley serve'): it upgrades it.",
    );
  }
}

function writeAndTell<T>(storage: Storage, work: (write: WriteContext) => Promise<T>): Promise<T> {
  return storage.write(async ({ trx }) => {
    const events: DomainEvent[] = [];
    const result = await work({ trx, emit: (event) => events.push(event) });
    await leaveEvents(trx, events);
    return result;
  });
}

import type { FastifyBaseLogger } from 'fastify';
import { postgresMigrations } from '../migrations/index.ts';
import type { Storage, StorageObserver } from '../storage.ts';
import { notifyWithin, startEventBroadcast } from './event-broadcast.ts';
import { createEventSequencer } from './event-sequencer.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPool } from './postgres-connection.ts';
import { createPostgresStorage } from './postgres-storage.ts';

/** Number of connections of a process, besides the one that receives events. */
const POOL_SIZE = 10;

/** Maximum number of connections of a server: the pool, its listener and the leadership. */
export const CONNECTIONS_PER_SERVER = POOL_SIZE + 2;

/**
 * Opens the storage of a database for a server and upgrades it. The observer also receives the
 * events of the other processes.
 * @throws {MigrationError}, {@link PostgresConnectionError}, or an error of PostgreSQL.
 */
export async function openPostgresServerStorage(
  databaseUrl: string,
  observer: StorageObserver,
  log: FastifyBaseLogger,
): Promise<Storage> {
  const pool = createPool(databaseUrl, POOL_SIZE);
  try {
    const steps = await migratePostgres(pool, postgresMigrations);
    if (steps.length > 0) log.info({ steps }, 'upgraded the database schema');
    const sequencer = createEventSequencer(observer.publish);
    const broadcast = await startEventBroadcast({
      databaseUrl,
      pool,
      publish: sequencer.publish,
      onMissed: () => {
        log.warn('events of other processes may have been missed: live connections are renewed');
        observer.publish({ type: 'events-missed' });
      },
    });
    return createPostgresStorage(pool, {
      onCommitted: (events, seconds) => {
        observer.onCommitted?.(1, seconds);
        for (const event of events) sequencer.publish(event);
        broadcast.send(events);
      },
      // Clients resync, and caches are read again, as if the events had been sent.
      onUncertain: () => {
        log.warn('the outcome of a write is unknown: live connections are renewed');
        observer.publish({ type: 'events-missed' });
        broadcast.send([{ type: 'events-missed' }]);
      },
      isListening: broadcast.isListening,
      beforeEnd: async () => {
        sequencer.close();
        await broadcast.close();
      },
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Opens the storage of a database for a command; servers may run on it at the same time. */
export function openPostgresStorage(databaseUrl: string, observer: StorageObserver): Storage {
  return createPostgresStorage(createPool(databaseUrl, POOL_SIZE), {
    beforeCommit: notifyWithin,
    onCommitted: (events, seconds) => {
      observer.onCommitted?.(1, seconds);
      for (const event of events) observer.publish(event);
    },
  });
}

import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { postgresMigrations } from '../migrations/index.ts';
import type { Storage, StorageObserver } from '../storage.ts';
import { notifyWithin, startEventBroadcast } from './event-broadcast.ts';
import { createEventSequencer } from './event-sequencer.ts';
import { assertSupported } from './inspect-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import {
  createPool,
  EXCLUSIVE_POOL_SIZE,
  NO_STATEMENT_LIMITS,
  POOL_SIZE,
  query,
} from './postgres-connection.ts';
import { createPostgresStorage } from './postgres-storage.ts';
import { watchSchema } from './schema-watch.ts';

/**
 * Opens the storage of a database for a server and upgrades it. The observer also receives the
 * events of the other processes.
 * @throws {UnsupportedDatabaseError}, {@link MigrationError}, {@link PostgresConnectionError}, or
 * an error of PostgreSQL.
 */
export async function openPostgresServerStorage(
  databaseUrl: string,
  observer: StorageObserver,
  log: FastifyBaseLogger,
): Promise<Storage> {
  const pool = createStoragePool(databaseUrl, POOL_SIZE);
  try {
    await assertSupported(databaseUrl, pool);
    await migratePostgres(databaseUrl, postgresMigrations, log);
    const sequencer = createEventSequencer(observer.publish);
    const broadcast = await startEventBroadcast({
      databaseUrl,
      pool,
      log,
      publish: sequencer.publish,
      onMissed: () => {
        log.warn('events of other processes may have been missed: live connections are renewed');
        sequencer.publish({ type: 'events-missed' });
      },
    });
    const refusal = new AbortController();
    const stopWatching = watchSchema(pool, postgresMigrations, log, (error) => {
      refusal.abort(error);
      // Clients move to another server.
      observer.publish({ type: 'events-missed' });
    });
    const exclusivePool = createStoragePool(databaseUrl, EXCLUSIVE_POOL_SIZE);
    return createPostgresStorage(pool, exclusivePool, {
      onCommitted: (events, seconds) => {
        observer.onCommitted?.(1, seconds, events);
        for (const event of events) sequencer.publish(event);
        broadcast.send(events);
      },
      // Clients resync, and caches are read again, as if the events had been sent.
      onUncertain: () => {
        log.warn('the outcome of a write is unknown: live connections are renewed');
        sequencer.publish({ type: 'events-missed' });
        broadcast.send([{ type: 'events-missed' }]);
      },
      isListening: broadcast.isListening,
      broadcast: broadcast.send,
      refused: refusal.signal,
      beforeEnd: async () => {
        stopWatching();
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
  const pool = createStoragePool(databaseUrl, POOL_SIZE, NO_STATEMENT_LIMITS);
  const exclusivePool = createStoragePool(databaseUrl, EXCLUSIVE_POOL_SIZE, NO_STATEMENT_LIMITS);
  return createPostgresStorage(pool, exclusivePool, {
    beforeCommit: notifyWithin,
    onCommitted: (events, seconds) => {
      observer.onCommitted?.(1, seconds, events);
      for (const event of events) observer.publish(event);
    },
  });
}

/** Creates a pool that can write only in transactions that say so. */
export function createStoragePool(
  databaseUrl: string,
  size: number,
  settings?: pg.PoolConfig,
): pg.Pool {
  const pool = createPool(databaseUrl, size, settings);
  // The queries of a transaction follow its `begin` before its result is known. If it failed, they
  // must not be committed one by one.
  pool.on('connect', (client) => {
    query(client, 'set default_transaction_read_only = on').catch(() => undefined);
  });
  return pool;
}

import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Cluster } from '../cluster.ts';
import type { Database, DatabaseObserver, ServerDatabase } from '../database.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { notifyWithin, startEventBroadcast, type EventBroadcast } from './event-broadcast.ts';
import { createEventSequencer } from './event-sequencer.ts';
import { assertSupported } from './inspect-postgres.ts';
import { leadJob } from './leadership.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPendingWork, type PendingWork } from './pending-work.ts';
import {
  createPool,
  EXCLUSIVE_POOL_SIZE,
  NO_STATEMENT_LIMITS,
  POOL_SIZE,
  query,
} from './postgres-connection.ts';
import { createPostgresMaintenance } from './postgres-maintenance.ts';
import { createPostgresStorage, type Pools } from './postgres-storage.ts';
import { watchSchema } from './schema-watch.ts';
import { createSharedCounters } from './shared-counters.ts';

/**
 * Opens a database for a server and upgrades it. The observer also receives the events of the other
 * processes.
 * @throws {UnsupportedDatabaseError}, {@link MigrationError}, {@link PostgresConnectionError}, or
 * an error of PostgreSQL.
 */
export async function openPostgresServerDatabase(
  databaseUrl: string,
  observer: DatabaseObserver,
  log: FastifyBaseLogger,
): Promise<ServerDatabase> {
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
    const pools = { pool, exclusivePool: createStoragePool(databaseUrl, EXCLUSIVE_POOL_SIZE) };
    const pending = createPendingWork(refusal.signal);
    const storage = createPostgresStorage(pools, pending, {
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
    });
    const cluster = createPostgresCluster(pool, pending, broadcast, refusal.signal);
    const maintenance = createPostgresMaintenance(pool, pending);
    const end = async () => {
      stopWatching();
      sequencer.close();
      await broadcast.close();
      await endPools(pools);
    };
    return { storage, cluster, maintenance, close: () => pending.close(end) };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Creates the cluster of a server. Once `refused` is aborted, the server leads it no more. */
function createPostgresCluster(
  pool: pg.Pool,
  pending: PendingWork,
  broadcast: EventBroadcast,
  refused: AbortSignal,
): Cluster {
  return {
    isShared: true,
    lead(job) {
      const stop = leadJob(pool.options, job);
      refused.addEventListener('abort', () => void stop());
      return stop;
    },
    sharedCounters: createSharedCounters(pool, pending),
    get isReceivingEvents() {
      return broadcast.isListening();
    },
    broadcast: broadcast.send,
  };
}

/** Opens a database for a command; servers may run on it at the same time. */
export function openPostgresDatabase(databaseUrl: string): Database {
  const pool = createStoragePool(databaseUrl, POOL_SIZE, NO_STATEMENT_LIMITS);
  const exclusivePool = createStoragePool(databaseUrl, EXCLUSIVE_POOL_SIZE, NO_STATEMENT_LIMITS);
  const pools = { pool, exclusivePool };
  const pending = createPendingWork();
  return {
    storage: createPostgresStorage(pools, pending, { beforeCommit: notifyWithin }),
    maintenance: createPostgresMaintenance(pool, pending),
    close: () => pending.close(() => endPools(pools)),
  };
}

async function endPools({ pool, exclusivePool }: Pools): Promise<void> {
  await Promise.all([pool.end(), exclusivePool.end()]);
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

import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { fillSkeletons } from './accounts/look-alike.repository.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { App, Context } from './context.ts';
import { clearFreePages } from './db/clear-free-pages.ts';
import { migrate } from './db/migrate.ts';
import { migrations } from './db/migrations/index.ts';
import { openDatabase } from './db/open.ts';
import { lockDataFolder } from './db/server-lock.ts';
import { snapshotBeforeUpgrade } from './db/snapshot.ts';
import { createWriteQueue } from './db/write-queue.ts';
import { createEventBus } from './events.ts';
import { makeFolder } from './files/make-folder.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createDiskSpace } from './quotas/disk-space.ts';
import type { WebFiles } from './web-client/web-pack.ts';

/** The TCP port that an app listens on, also where the system chose it. */
export function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address.port;
}

/** A server that is ready to answer but does not listen yet. */
export interface Server {
  readonly app: App;
  readonly ctx: Context;
  /** Finishes what is under way, then closes connections and database. */
  close(): Promise<void>;
}

/**
 * Opens the data folder, brings the database up to date and puts the app together.
 * @throws {FolderInUseError}, {@link MigrationError}, a file system error, or an `SqliteError` if the
 * folder cannot be used.
 */
export async function createServer(
  config: Config,
  log: FastifyBaseLogger,
  webFiles: WebFiles,
): Promise<Server> {
  makeFolder(config.dataDir);
  const unlock = lockDataFolder(config.dataDir);
  try {
    const server = await openServer(config, log, webFiles);
    return { ...server, close: () => server.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openServer(
  config: Config,
  log: FastifyBaseLogger,
  webFiles: WebFiles,
): Promise<Server> {
  const { db, sqlite } = openDatabase(join(config.dataDir, 'parley.db'));
  try {
    const steps = await migrate(db, migrations, ({ done }) => {
      const snapshot = snapshotBeforeUpgrade(sqlite, config.dataDir, done.at(-1) ?? '');
      log.info({ snapshot }, 'kept a snapshot of the database from before the upgrade');
    });
    if (steps.length > 0) log.info({ steps }, 'database schema brought up to date');
    await fillSkeletons(db);
    await clearFreePages({ db, sqlite, log, dataDir: config.dataDir });

    const events = createEventBus();
    const metrics = createMetrics();
    const writes = createWriteQueue(db, events, (count, seconds) => {
      metrics.flushed(count, seconds);
    });
    const disk = createDiskSpace(config);
    const ctx: Context = { config, db, writes, events, log, metrics, disk };
    const app = await buildApp(ctx, webFiles);
    return {
      app,
      ctx,
      async close() {
        await app.close();
        await ctx.writes.idle();
        await db.destroy();
      },
    };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

import type { FastifyBaseLogger } from 'fastify';
import { fillSkeletons } from './accounts/look-alike.service.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { App, Context } from './context.ts';
import { clearFreePages } from './erasure/free-pages.ts';
import { createEventBus } from './events.ts';
import { makeFolder } from './files/make-folder.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createDiskSpace } from './files/disk-space.ts';
import { openServerStorage } from './storage/open.ts';
import type { StorageObserver } from './storage/storage.ts';
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
 * @throws {FolderInUseError}, {@link MigrationError}, a file system error, or an error of the database
 * if the folder cannot be used.
 */
export async function createServer(
  config: Config,
  log: FastifyBaseLogger,
  webFiles: WebFiles,
): Promise<Server> {
  makeFolder(config.dataDir);
  const events = createEventBus(log);
  const metrics = createMetrics();
  const observer: StorageObserver = {
    publish: events.publish,
    onCommitted: (count, seconds) => metrics.flushed(count, seconds),
  };
  const storage = await openServerStorage(config.dataDir, observer, log);
  try {
    const ctx: Context = { config, storage, events, log, metrics, disk: createDiskSpace(config) };
    await fillSkeletons(ctx);
    await clearFreePages(ctx);
    const app = await buildApp(ctx, webFiles);
    return { app, ctx, close: () => app.close().finally(() => storage.close()) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

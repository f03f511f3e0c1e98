import type { FastifyBaseLogger } from 'fastify';
import { warnOfSharedMailboxes } from './accounts/email-clash.service.ts';
import { fillSkeletons } from './accounts/look-alike.service.ts';
import { buildApp } from './app.ts';
import { createActivityClock } from './storage/activity-clock.ts';
import type { Config } from './config.ts';
import type { App, Context } from './context.ts';
import { clearFreePages } from './erasure/free-pages.ts';
import { createEventBus } from './domain-events.ts';
import { createFolder } from './files/create-folder.ts';
import { createDrain } from './drain.ts';
import { createMetrics } from './metrics/metrics.ts';
import { claimFolder } from './operator/claim-folder.ts';
import { assertNoUnfinishedRestore } from './files/unfinished-restore.ts';
import { createDiskSpace } from './files/disk-space.ts';
import { claimStore } from './media/claim-store.ts';
import { createInspector } from './inspection/inspector.ts';
import { createMediaStore } from './media-store/create-media-store.ts';
import { FolderInUseError } from './storage/storage-errors.ts';
import { createClockTrust } from './scheduling/clock-trust.ts';
import type { DatabaseObserver } from './storage/database.ts';
import { countServers, openServerDatabase } from './storage/open.ts';
import type { WebFiles } from './web-client/web-pack.ts';

/** Returns the TCP port that an app listens on, including one chosen by the system. */
export function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address.port;
}

/** A server that is ready but does not listen yet. */
export interface Server {
  readonly app: App;
  readonly ctx: Context;
  /** Finishes pending requests, then closes all connections and the database. */
  close(): Promise<void>;
}

/**
 * Opens the data folder, migrates the database and creates the app.
 * @throws {FolderInUseError}, {@link UnfinishedRestoreError}, {@link MigrationError}, a file system error, or an error of the database
 * if the folder cannot be used.
 */
export async function createServer(
  config: Config,
  log: FastifyBaseLogger,
  webFiles: WebFiles,
): Promise<Server> {
  createFolder(config.dataDir);
  assertNoUnfinishedRestore(config.dataDir);
  const unlock = await lockFolder(config.dataDir);
  try {
    const server = await openServer(config, log, webFiles);
    return { ...server, close: () => server.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Waits for a command that is using the folder and for a server that is stopping. */
async function lockFolder(dataDir: string): Promise<() => void> {
  const claim = await claimFolder(dataDir);
  if ('unlock' in claim) return claim.unlock;
  throw new FolderInUseError(dataDir);
}

/** Warns if another server uses the database, which does not find the media in this server's folder. */
async function warnOfSeparateFolders(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  log: FastifyBaseLogger,
): Promise<void> {
  if (databaseUrl === undefined) return;
  // Without the count, the server can run nevertheless.
  const servers = await countServers(databaseUrl).catch(() => 1);
  if (servers < 2) return;
  log.warn(
    "another server uses the database, but finds no media in this server's folder: set PARLEY_MEDIA_STORE to the " +
      'same object storage for both, or stop one',
  );
}

async function openServer(
  config: Config,
  log: FastifyBaseLogger,
  webFiles: WebFiles,
): Promise<Server> {
  const events = createEventBus(log);
  const ownEvents = createEventBus(log);
  const metrics = createMetrics();
  const observer: DatabaseObserver = {
    publish: events.publish,
    onCommitted: (writes, seconds, committed) => {
      metrics.recordTransaction(writes, seconds, committed);
      committed.forEach(ownEvents.publish);
    },
  };
  const database = await openServerDatabase(config, observer, log);
  const { storage, cluster, maintenance } = database;
  const media = createMediaStore(config, log);
  const inspector = createInspector(log);
  try {
    if (config.mediaStore !== undefined) await claimStore({ storage, maintenance, media, log });
    else await warnOfSeparateFolders(config, log);
    const disk = createDiskSpace(config);
    const drain = createDrain(cluster.isShared);
    const shared = { config, storage, cluster, maintenance, events, ownEvents, log };
    const activity = await createActivityClock(shared);
    const clock = createClockTrust((by) =>
      log.warn(
        { seconds: Math.round(by / 1000) },
        'the clock of this machine was put forward: nothing that has expired is deleted for a day',
      ),
    );
    const ctx: Context = { ...shared, metrics, disk, media, inspector, drain, activity, clock };
    await fillSkeletons(ctx);
    await warnOfSharedMailboxes(ctx);
    await clearFreePages(ctx);
    const app = await buildApp(ctx, webFiles);
    // Pending requests are finished by now, and jobs must not wait for a slow store.
    app.addHook('onClose', async () => {
      await Promise.all([media.close(), inspector.close()]);
    });
    return { app, ctx, close: () => app.close().finally(() => database.close()) };
  } catch (error) {
    await media.close();
    await database.close();
    throw error;
  }
}

import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { WriteQueue } from './db/write-queue.ts';
import type { EventBus } from './events.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { DiskSpace } from './quotas/disk-space.ts';

/** What every feature works with. Made once in `app.ts`, passed in, never imported. */
export interface Context {
  readonly config: Config;
  /** For reading, outside of a write. Inside of one, only the `trx` that the write queue hands out. */
  readonly db: Kysely<Database>;
  readonly writes: WriteQueue;
  readonly events: EventBus;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly disk: DiskSpace;
}

/** The Fastify instance. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>;

import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ActivityClock } from './storage/activity-clock.ts';
import type { Config } from './config.ts';
import type { EventBus } from './domain-events.ts';
import type { Drain } from './drain.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { DiskSpace } from './files/disk-space.ts';
import type { Inspector } from './inspection/inspector.ts';
import type { MediaStore } from './media-store/media-store.ts';
import type { Cluster } from './storage/cluster.ts';
import type { Maintenance } from './storage/maintenance.ts';
import type { ClockTrust } from './scheduling/clock-trust.ts';
import type { Storage } from './storage/storage.ts';

/** The dependencies of all features. Created once in `server.ts` and passed as an argument. */
export interface Context {
  readonly config: Config;
  readonly storage: Storage;
  readonly cluster: Cluster;
  readonly maintenance: Maintenance;
  readonly events: EventBus;
  /** The events of the writes of this server only. */
  readonly ownEvents: Pick<EventBus, 'subscribe'>;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly disk: DiskSpace;
  readonly media: MediaStore;
  readonly inspector: Inspector;
  readonly drain: Drain;
  readonly activity: ActivityClock;
  readonly clock: ClockTrust;
}

/** The Fastify instance. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>;

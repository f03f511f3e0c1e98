import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DomainEvent } from '../domain-events.ts';

/** Metrics that `/metrics` shows. Times are in seconds. */
export interface Metrics {
  readonly registry: Registry;
  /** Records a response. `route` is the route's pattern, never the requested path. */
  recordResponse(method: string, route: string, status: number, seconds: number): void;
  /** Records a committed transaction of this server with its number of writes and their events. */
  recordTransaction(writes: number, seconds: number, events: readonly DomainEvent[]): void;
  /** Records a push message by its result. */
  recordPush(result: string): void;
  /** Records a user's report to the operator. */
  recordReport(): void;
  /** Records an event sent to a number of connections, with the time since it happened. */
  recordDelivery(connections: number, seconds: number): void;
}

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Creates the metrics of a server. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Response time of HTTP requests',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: FAST,
    registers,
  });
  const flushes = new Histogram({
    name: 'parley_db_flush_duration_seconds',
    help: 'Duration of transactions, including the flush to disk and the turns of other work between their writes',
    buckets: FAST,
    registers,
  });
  const writes = new Counter({
    name: 'parley_db_writes_total',
    help: 'Committed writes; several may share a transaction',
    registers,
  });
  const messages = new Counter({
    name: 'parley_messages_total',
    help: 'Messages sent, edited or deleted',
    labelNames: ['change'] as const,
    registers,
  });
  const changes = new Map<DomainEvent['type'], Counter.Internal>([
    ['message-sent', messages.labels('sent')],
    ['message-edited', messages.labels('edited')],
    ['message-deleted', messages.labels('deleted')],
  ]);
  for (const change of changes.values()) change.inc(0);
  const reports = new Counter({
    name: 'parley_reports_total',
    help: 'Reports of users to the operator',
    registers,
  });
  const pushes = new Counter({
    name: 'parley_push_messages_total',
    help: 'Messages to push services by result: accepted, ended, refused or unreachable',
    labelNames: ['result'] as const,
    registers,
  });
  const deliveries = new Counter({
    name: 'parley_deliveries_total',
    help: 'Events sent to live connections',
    registers,
  });
  const latency = new Histogram({
    name: 'parley_delivery_latency_seconds',
    help: 'Time from accepting a message to sending it to live connections',
    buckets: FAST,
    registers,
  });

  return {
    registry,
    recordResponse: (method, route, status, seconds) =>
      requests.observe({ method, route, status }, seconds),
    recordTransaction(count, seconds, events) {
      flushes.observe(seconds);
      writes.inc(count);
      for (const { type } of events) changes.get(type)?.inc();
    },
    recordPush: (result) => pushes.inc({ result }),
    recordReport: () => reports.inc(),
    recordDelivery(connections, seconds) {
      deliveries.inc(connections);
      latency.observe(seconds);
    },
  };
}

/** Adds a gauge whose value is read at each scrape. */
export function addGauge(
  { registry }: Metrics,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => gauge.set(await read()),
  });
}

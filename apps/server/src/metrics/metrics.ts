import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EventBus } from '../events.ts';

/** What is counted while the server works; `/metrics` shows it. Times are in seconds. */
export interface Metrics {
  readonly registry: Registry;
  /** An answer was sent. `route` is its pattern, never what somebody asked for. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** A transaction was committed with so many writes in it. */
  flushed(writes: number, seconds: number): void;
  /** An event went to so many connections, so long after it had happened. */
  delivered(connections: number, seconds: number): void;
}

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Makes the counters of one server. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: FAST,
    registers,
  });
  const flushes = new Histogram({
    name: 'parley_db_flush_duration_seconds',
    help: 'Time of a transaction, up to its flush to the disk',
    buckets: FAST,
    registers,
  });
  const writes = new Counter({
    name: 'parley_db_writes_total',
    help: 'Writes that were committed; many share one transaction',
    registers,
  });
  const deliveries = new Counter({
    name: 'parley_deliveries_total',
    help: 'Events that were sent to live connections',
    registers,
  });
  const latency = new Histogram({
    name: 'parley_delivery_latency_seconds',
    help: "Time from a message's acceptance to its sending to live connections",
    buckets: FAST,
    registers,
  });

  return {
    registry,
    answered: (method, route, status, seconds) =>
      requests.observe({ method, route, status }, seconds),
    flushed(count, seconds) {
      flushes.observe(seconds);
      writes.inc(count);
    },
    delivered(connections, seconds) {
      deliveries.inc(connections);
      latency.observe(seconds);
    },
  };
}

/** Counts messages as they are sent, edited and deleted. Returns the function that ends it. */
export function countMessages({ registry }: Metrics, events: EventBus): () => void {
  const messages = new Counter({
    name: 'parley_messages_total',
    help: 'Messages that were sent, edited or deleted',
    labelNames: ['change'] as const,
    registers: [registry],
  });
  const changes = {
    'message-sent': messages.labels('sent'),
    'message-edited': messages.labels('edited'),
    'message-deleted': messages.labels('deleted'),
  };
  for (const change of Object.values(changes)) change.inc(0);
  return events.subscribe(({ type }) => {
    if (type in changes) changes[type as keyof typeof changes].inc();
  });
}

/** A gauge that is read when somebody asks. */
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

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { createBoundedCache } from '../../bounded-cache.ts';
import type { DomainEvent } from '../../domain-events.ts';
import {
  createBroadcastDecoder,
  decodeEvents,
  encodeBroadcast,
  encodeEvents,
  type Broadcast,
} from './event-notifications.ts';
import { connectionConfig, LOCK_HOLDER_SETTINGS, query } from './postgres-connection.ts';

/** Exchanges the events of committed writes with the other processes on a database. */
export interface EventBroadcast {
  /** Queues events, which are sent together with those of the next few milliseconds. */
  readonly send: (events: readonly DomainEvent[]) => void;
  /**
   * Returns whether events of other processes are received, and whether these notice if this
   * process ends without having sent all of its events.
   */
  readonly isListening: () => boolean;
  /** Sends what is queued and ends the connection. */
  readonly close: () => Promise<void>;
}

interface BroadcastDeps {
  readonly databaseUrl: string;
  /** Pool for sending. */
  readonly pool: pg.Pool;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Called with each event of another process, in the order of its commits. */
  readonly publish: (event: DomainEvent) => void;
  /**
   * Called when events may have been missed: this process had no connection, or another process
   * ended without sending all of its events. Called also while a connection has been missing for
   * long.
   */
  readonly onMissed: () => void;
}

const CHANNEL = 'parley_events';

/**
 * How long events are gathered, in milliseconds. Each notification takes a lock of the whole
 * cluster until its commit is flushed.
 */
const GATHER_MS = 5;

/** Maximum number of queued events. If more wait, the receivers resync instead. */
const QUEUE_MAX = 10_000;

/**
 * First key of the advisory locks that processes hold while they are alive. The second one is the
 * id of the process. "part" in ASCII.
 */
export const PROCESS_LOCK = 0x70_61_72_74;

// Times in milliseconds.
/** Interval of the checks of the connection and of the other processes. */
const CHECK_INTERVAL = 2_000;
/** Time after which a query on the connection or a notification has failed. */
const QUERY_TIMEOUT = 5_000;
/** Time of failures to send after which the other processes are told to resync. */
const FAILING_MAX = 5_000;
/** Time without a connection after which clients are closed, so that they use another process. */
const LOST_MAX = 10_000;
/** Time for sending queued events at the end. */
const CLOSE_TIMEOUT = 3_000;
/** Backoff before sending or connecting is retried. */
const RETRY_MIN = 100;
const RETRY_MAX = 2_000;

/** A text that a process sends once it holds its lock. */
const HELLO = 'hello';
/** A text that a process sends after it has sent all of its events. */
const GOODBYE = 'goodbye';

/** Starts to broadcast. Resolves once events of other processes are received. */
export async function startEventBroadcast(deps: BroadcastDeps): Promise<EventBroadcast> {
  const { log } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  /**
   * All ids of this process. Each connection has its own, because PostgreSQL can hold the lock of a
   * lost connection for some time.
   */
  const ownIds = new Set<number>();
  let id = 0;
  let batch = 0;
  let queued: DomainEvent[] = [];
  let sending: Promise<void> | undefined;
  let listener: pg.Client | undefined;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  /** Ids of the other processes that are alive as far as this process knows. */
  const others = new Set<number>();
  /** Number of the latest batch of each other process. */
  const latestBatches = createBoundedCache<number, number>(1_000);

  function pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  function encode(text: string, number = 0): string[] {
    return encodeBroadcast({ sender: id, batch: number, text });
  }

  async function sendQueued(): Promise<void> {
    await sleep(GATHER_MS);
    while (queued.length > 0) {
      const events = queued;
      queued = [];
      for (const text of encodeEvents(events)) {
        batch += 1;
        await sendWithRetry(encode(text, batch));
      }
    }
    sending = undefined;
  }

  /**
   * Sends a batch. Retries until this process is closed, also if it may have been sent: receivers
   * ignore a batch that they know.
   */
  async function sendWithRetry(pieces: readonly string[]): Promise<void> {
    let delay = RETRY_MIN;
    let failingSince = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await notify(deps.pool, pieces);
        if (attempt > 1) log.info('events are sent to other processes again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (attempt === 1) log.warn({ err: error }, 'events could not be sent to other processes');
        if (performance.now() - failingSince >= FAILING_MAX) {
          failingSince = performance.now();
          // Releases the lock without a goodbye, so that the other processes resync.
          void listener?.end().catch(() => undefined);
        }
        await pause(delay);
        delay = Math.min(delay * 2, RETRY_MAX);
      }
    }
  }

  function receive({ sender, batch: received, text }: Broadcast): void {
    if (ownIds.has(sender)) return;
    if (text === HELLO) return void others.add(sender);
    if (text === GOODBYE) return void others.delete(sender);
    if (received > 0) {
      const latest = latestBatches.get(sender) ?? received - 1;
      if (received <= latest) return;
      latestBatches.set(sender, received);
      if (received > latest + 1) deps.onMissed();
    }
    for (const event of decodeEvents(text)) deps.publish(event);
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...connectionConfig(deps.databaseUrl),
      query_timeout: QUERY_TIMEOUT,
    });
    const decode = createBroadcastDecoder();
    client.on('notification', ({ payload = '' }) => {
      try {
        const broadcast = decode(payload);
        if (broadcast !== undefined) receive(broadcast);
      } catch (error) {
        log.error({ err: error }, 'events of another process could not be read');
        // Those after the one that failed.
        deps.onMissed();
      }
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (listener !== client) return;
      listener = undefined;
      if (signal.aborted) return;
      log.warn('the connection that receives events of other processes was lost');
      lostTimer = setTimeout(deps.onMissed, LOST_MAX);
      void reconnect();
    });
    try {
      await client.connect();
      await client.query(LOCK_HOLDER_SETTINGS);
      id = randomInt(1, 2 ** 31);
      ownIds.add(id);
      await client.query(`select pg_advisory_lock(${PROCESS_LOCK}, ${id})`);
      // Everything before this moment counts as missed.
      others.clear();
      latestBatches.clear();
      await client.query(`listen ${CHANNEL}`);
      await notify(client, encode(HELLO));
      for (const other of await listOthers(client)) others.add(other);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    listener = client;
    void watch(client);
  }

  async function listOthers(client: pg.Client): Promise<Set<number>> {
    const { rows } = await client.query<{ id: number }>(
      `select objid::bigint as id from pg_locks
       where locktype = 'advisory' and classid = ${PROCESS_LOCK} and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return new Set(rows.map((row) => row.id).filter((other) => !ownIds.has(other)));
  }

  /** Ends a connection that does not respond any more, and notices other processes that died. */
  async function watch(client: pg.Client): Promise<void> {
    for (;;) {
      await pause(CHECK_INTERVAL);
      if (listener !== client || signal.aborted) return;
      // Without those that join during the query.
      const known = [...others];
      const alive = await listOthers(client).catch(() => undefined);
      if (listener !== client) return;
      if (alive === undefined) {
        // Emits `end`, also if the connection no longer responds.
        await client.end().catch(() => undefined);
        return;
      }
      // A process that left has said goodbye before its lock was released.
      const lost = known.filter((other) => others.has(other) && !alive.has(other));
      for (const other of lost) others.delete(other);
      if (lost.length > 0) deps.onMissed();
    }
  }

  async function reconnect(): Promise<void> {
    let delay = RETRY_MIN;
    while (!signal.aborted) {
      try {
        await listen();
        clearTimeout(lostTimer);
        deps.onMissed();
        return;
      } catch {
        await pause(delay);
        delay = Math.min(delay * 2, RETRY_MAX);
      }
    }
  }

  await listen();
  return {
    send: (events) => {
      if (events.length === 0) return;
      if (queued.length + events.length > QUEUE_MAX) queued = [{ type: 'events-missed' }];
      else queued.push(...events);
      sending ??= sendQueued();
    },
    isListening: () => listener !== undefined,
    close: async () => {
      // Without a database, the events of this process are lost, and its lock is released without a
      // goodbye, so that the other processes resync.
      const giveUp = setTimeout(() => closing.abort(), CLOSE_TIMEOUT);
      await Promise.race([sending, once(signal, 'abort')]);
      clearTimeout(giveUp);
      const hasSentAll = !signal.aborted;
      closing.abort();
      clearTimeout(lostTimer);
      if (hasSentAll) await notify(deps.pool, encode(GOODBYE)).catch(() => undefined);
      const client = listener;
      listener = undefined;
      await client?.end().catch(() => undefined);
    },
  };
}

// One statement, so that the pieces arrive together and in order.
const NOTIFY = 'select pg_notify($1, piece) from unnest($2::text[]) as piece';

/** Does not wait for the disk: a crash of PostgreSQL ends all connections, so all clients resync. */
const NOTIFY_WITHOUT_FLUSH = NOTIFY.replace(
  'select ',
  "select set_config('synchronous_commit', 'off', true), ",
);

/** Sends a notification in a transaction of its own. */
async function notify(client: pg.ClientBase | pg.Pool, pieces: readonly string[]): Promise<void> {
  await query(client, withPieces(NOTIFY_WITHOUT_FLUSH, pieces));
}

function withPieces(text: string, pieces: readonly string[]) {
  return { text, values: [CHANNEL, pieces], query_timeout: QUERY_TIMEOUT };
}

/**
 * Sends events within the transaction that commits them, for commands, which end soon after it and
 * write rarely.
 */
export async function notifyWithin(
  client: pg.ClientBase,
  events: readonly DomainEvent[],
): Promise<void> {
  for (const text of encodeEvents(events)) {
    const pieces = encodeBroadcast({ sender: 0, batch: 0, text });
    await query(client, withPieces(NOTIFY, pieces));
  }
}

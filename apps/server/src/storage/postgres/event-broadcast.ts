import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DomainEvent } from '../../domain-events.ts';
import { connectionConfig, query } from './postgres-connection.ts';

/** Exchanges the events of committed writes with the other processes on a database. */
export interface EventBroadcast {
  /** Queues events, which are sent together with those of the next few milliseconds. */
  readonly send: (events: readonly DomainEvent[]) => void;
  /** Returns whether events of other processes are received. */
  readonly isListening: () => boolean;
  /** Sends what is queued and ends the connection. */
  readonly close: () => Promise<void>;
}

interface BroadcastDeps {
  readonly databaseUrl: string;
  /** Pool for sending. */
  readonly pool: pg.Pool;
  /** Called with each event of another process, in the order of its commits. */
  readonly publish: (event: DomainEvent) => void;
  /**
   * Called when events may have been missed: this process had no connection, or another process
   * ended without sending all of its events.
   */
  readonly onMissed: () => void;
}

const CHANNEL = 'parley_events';

/**
 * How long events are gathered, in milliseconds. Each notification takes a lock of the whole cluster
 * until its commit is flushed.
 */
const GATHER_MS = 5;

/** A notification has less than 8,000 bytes. The texts are ASCII, and a header precedes them. */
const PIECE_MAX = 7_900;

/**
 * First key of the advisory locks that processes hold while they are alive. The second one is the
 * id of the process. "part" in ASCII.
 */
export const PROCESS_LOCK = 0x70_61_72_74;

/** Interval of the checks of the connection and of the other processes, in milliseconds. */
const CHECK_INTERVAL = 2_000;
const CHECK_TIMEOUT = 5_000;
/** Backoff before sending or connecting is retried, in milliseconds. */
const RETRY_MIN = 100;
const RETRY_MAX = 2_000;

// PostgreSQL detects within about 15 seconds that the machine of a connection is gone, and then
// releases its locks.
const SESSION_SETTINGS =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; ' +
  "set statement_timeout = 0; set idle_session_timeout = 0; set tcp_user_timeout = '15s'";

/** A notification that a process leaves after it has sent all of its events. */
const GOODBYE = 'goodbye';

/** Starts to broadcast. Resolves once events of other processes are received. */
export async function startEventBroadcast(deps: BroadcastDeps): Promise<EventBroadcast> {
  const processId = randomInt(1, 2 ** 31);
  const closing = new AbortController();
  const { signal } = closing;
  let queued: DomainEvent[] = [];
  let sending: Promise<void> | undefined;
  let listener: pg.Client | undefined;
  /** Ids of the other processes that were alive at the last check and have not left since. */
  let others = new Set<number>();

  function pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  async function sendQueued(): Promise<void> {
    await sleep(GATHER_MS);
    while (queued.length > 0) {
      const events = queued;
      queued = [];
      await sendWithRetry(splitIntoPieces(processId, toAscii(JSON.stringify(events))));
    }
    sending = undefined;
  }

  /** Sends a notification. Retries until this process is closed. */
  async function sendWithRetry(pieces: readonly string[]): Promise<void> {
    let delay = RETRY_MIN;
    for (;;) {
      try {
        await notify(deps.pool, pieces);
        return;
      } catch {
        if (signal.aborted) return;
        await pause(delay);
        delay = Math.min(delay * 2, RETRY_MAX);
      }
    }
  }

  async function listen(): Promise<void> {
    const client = new pg.Client(connectionConfig(deps.databaseUrl));
    const join = createJoiner();
    client.on('notification', ({ payload = '' }) => {
      const { sender, text } = join(payload);
      if (sender === processId || text === undefined) return;
      if (text === GOODBYE) others.delete(sender);
      else for (const event of parseEvents(text)) deps.publish(event);
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (listener !== client) return;
      listener = undefined;
      if (!signal.aborted) void reconnect();
    });
    try {
      await client.connect();
      await client.query(SESSION_SETTINGS);
      await client.query(`select pg_advisory_lock(${PROCESS_LOCK}, ${processId})`);
      await client.query(`listen ${CHANNEL}`);
      others = await listOthers(client);
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
    return new Set(rows.map(({ id }) => id).filter((id) => id !== processId));
  }

  /** Ends a connection that does not respond any more, and notices other processes that died. */
  async function watch(client: pg.Client): Promise<void> {
    for (;;) {
      await pause(CHECK_INTERVAL);
      if (listener !== client || signal.aborted) return;
      const alive = await withTimeout(listOthers(client), CHECK_TIMEOUT).catch(() => undefined);
      if (listener !== client) return;
      if (alive === undefined) {
        // Emits `end`, also if the connection no longer responds.
        await client.end().catch(() => undefined);
        return;
      }
      // A process that left has said goodbye before its lock was released.
      const hasLost = [...others].some((id) => !alive.has(id));
      others = alive;
      if (hasLost) deps.onMissed();
    }
  }

  async function reconnect(): Promise<void> {
    let delay = RETRY_MIN;
    while (!signal.aborted) {
      try {
        await listen();
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
      queued.push(...events);
      sending ??= sendQueued();
    },
    isListening: () => listener !== undefined,
    close: async () => {
      // Without a database, the events of this process are lost, and its lock is released without a
      // goodbye, so that the other processes resync.
      const giveUp = setTimeout(() => closing.abort(), CHECK_TIMEOUT);
      await sending;
      clearTimeout(giveUp);
      const hasSentAll = !signal.aborted;
      closing.abort();
      if (hasSentAll) {
        await notify(deps.pool, splitIntoPieces(processId, GOODBYE)).catch(() => undefined);
      }
      const client = listener;
      listener = undefined;
      await client?.end().catch(() => undefined);
    },
  };
}

/**
 * Sends events within the transaction that commits them, for commands, which end soon after it and
 * write rarely.
 */
export async function notifyWithin(
  client: pg.ClientBase,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await notify(client, splitIntoPieces(0, toAscii(JSON.stringify(events))));
}

// One statement, so that the pieces arrive together and in order.
async function notify(client: pg.ClientBase | pg.Pool, pieces: readonly string[]): Promise<void> {
  const text = 'select pg_notify($1, piece) from unnest($2::text[]) as piece';
  await query(client, { text, values: [CHANNEL, pieces] });
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const timeout = new AbortController();
  work.catch(() => undefined);
  try {
    return await Promise.race([
      work,
      sleep(ms, undefined, { signal: timeout.signal }).then(() => {
        throw new Error('the database does not respond');
      }),
    ]);
  } finally {
    timeout.abort();
  }
}

/** Splits a text into the payloads of notifications: sender, position, count and piece. */
function splitIntoPieces(processId: number, text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / PIECE_MAX));
  return Array.from({ length: count }, (_, index) => {
    const piece = text.slice(index * PIECE_MAX, (index + 1) * PIECE_MAX);
    return `${processId}:${index}:${count}:${piece}`;
  });
}

/**
 * Returns a function that joins the pieces of each process. It returns the sender, and the text once
 * it is complete.
 */
function createJoiner(): (payload: string) => { sender: number; text?: string } {
  const begun = new Map<number, string[]>();
  return (payload) => {
    const parts = /^(\d+):(\d+):(\d+):(.*)$/s.exec(payload);
    // Another program uses the channel.
    if (parts === null) return { sender: 0 };
    const [, id, index, count, piece = ''] = parts;
    const sender = Number(id);
    const pieces = index === '0' ? [] : (begun.get(sender) ?? []);
    pieces.push(piece);
    begun.set(sender, pieces);
    if (pieces.length < Number(count)) return { sender };
    begun.delete(sender);
    return { sender, text: pieces.join('') };
  };
}

/** Returns the events in a text, or none if it is not one of a server. */
function parseEvents(text: string): DomainEvent[] {
  try {
    const events: unknown = JSON.parse(text);
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}

/** Escapes other characters in a JSON text, so that it has as many bytes as characters. */
function toAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7E]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startPostgresProxy } from '../../../test/postgres-proxy.ts';
import { IS_ON_POSTGRES } from '../../../test/server-group.ts';
import { acquireTestDatabase, runOn, type TestDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { DomainEvent } from '../../domain-events.ts';
import { newId } from '../ids.ts';
import { PROCESS_LOCK, startEventBroadcast, type EventBroadcast } from './event-broadcast.ts';
import { createPendingWork } from './pending-work.ts';
import { createPool } from './postgres-connection.ts';
import { postgresErrorCode } from './postgres-errors.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const MAIL: DomainEvent = { type: 'mail-queued' };

/** A process with what it has received. */
interface Process {
  readonly broadcast: EventBroadcast;
  readonly received: string[];
  readonly missed: { count: number };
  readonly log: string[];
}

const LOCKS = `
  from pg_locks where locktype = 'advisory' and classid = ${PROCESS_LOCK}
    and database = (select oid from pg_database where datname = current_database())`;

describe.skipIf(!IS_ON_POSTGRES)('processes that exchange events', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const running: EventBroadcast[] = [];

  beforeEach(async () => {
    database = (await acquireTestDatabase()) ?? expect.fail();
    pool = createPool(database.url, 5);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    for (const broadcast of running.splice(0)) await broadcast.close();
    await pool.end();
    await database.release();
  });

  async function start(sendingPool: Pick<pg.Pool, 'query'> = pool): Promise<Process> {
    const received: string[] = [];
    const missed = { count: 0 };
    const log: string[] = [];
    const record = (...[, text]: unknown[]): void => void log.push(String(text));
    const broadcast = await startEventBroadcast({
      databaseUrl: database.url,
      pool: sendingPool as pg.Pool,
      log: { info: record, warn: record, error: record },
      publish: ({ type }) => received.push(type),
      onMissed: () => (missed.count += 1),
    });
    running.push(broadcast);
    return { broadcast, received, missed, log };
  }

  const notify = (payload: string) =>
    pool.query('select pg_notify($1, $2)', ['parley_events', payload]);

  test('receive a batch once, and notice that one is missing', async () => {
    const { received, missed } = await start();
    const batches = ['7:4:0:1', '7:4:0:1', '7:5:0:1', '7:4:0:1', '8:1:0:1'];
    for (const header of batches) await notify(`${header}:${JSON.stringify([MAIL])}`);
    await until(() => received.length >= 3);
    expect(missed.count).toBe(0);
    await notify(`7:7:0:1:${JSON.stringify([{ type: 'erasure-queued' }])}`);
    await until(() => received.includes('erasure-queued'));
    expect(received).toEqual(['mail-queued', 'mail-queued', 'mail-queued', 'erasure-queued']);
    expect(missed.count).toBe(1);
  });

  test('survive notifications of other programs, and resync after unreadable events', async () => {
    const { received, missed, log } = await start();
    for (const payload of ['', 'hello', '9:1:0:1:{', '9:2:0:1:[null]', '9:3:0:1:5']) {
      await notify(payload);
    }
    await notify(`9:4:0:1:${JSON.stringify([MAIL])}`);
    await until(() => received.length > 0);
    expect(log).toEqual(['events of another process could not be read']);
    expect(missed.count).toBe(1);
  });

  test('notice the end of a process that was never there at a check', async () => {
    const { missed } = await start();
    await notify('99:0:0:1:hello');
    await until(() => missed.count > 0);
  });

  test('reconnect while PostgreSQL still holds the lock of the lost connection', async () => {
    const { broadcast, missed } = await start();
    const { rows } = await pool.query<{ pid: number; id: number }>(
      `select pid, objid::int as id ${LOCKS}`,
    );
    const { pid, id } = rows[0] ?? expect.fail();
    const holder = await pool.connect();
    const isHeld = holder.query('select pg_advisory_lock($1, $2)', [PROCESS_LOCK, id]);
    await pool.query('select pg_terminate_backend($1)', [pid]);
    await isHeld;
    await until(() => missed.count > 0 && broadcast.isListening());
    holder.release(true);
  });

  test('resync when another one cannot send its events', async () => {
    const other = await start();
    const startedAt = performance.now();
    let isBroken = true;
    const { broadcast, log } = await start({
      query: ((...args: Parameters<pg.Pool['query']>) =>
        isBroken ? Promise.reject(new Error('broken')) : pool.query(...args)) as pg.Pool['query'],
    });
    broadcast.send([MAIL]);
    await until(() => log.length > 0);
    expect(other.missed.count).toBe(0);
    vi.spyOn(performance, 'now').mockReturnValue(startedAt + 60_000);
    await until(() => other.missed.count > 0);
    isBroken = false;
    await until(() => other.received.length > 0);
    expect(other.received).toEqual(['mail-queued']);
    expect(log.filter((text) => text.includes('could not be sent'))).toHaveLength(1);
  });

  test('send on another connection if one does not respond', async () => {
    const other = await start();
    const proxy = await startPostgresProxy(database.url);
    const stallingPool = createPool(proxy.url, 5);
    onTestFinished(async () => {
      await stallingPool.end();
      await proxy.close();
    });
    const { broadcast } = await start(stallingPool);
    broadcast.send([MAIL]);
    await until(() => other.received.length === 1);
    // New connections work.
    proxy.freeze();
    proxy.thaw();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    broadcast.send([MAIL]);
    // The notification fails after its time limit.
    let seconds = 0;
    await until(async () => {
      if (seconds < 10) await vi.advanceTimersByTimeAsync(1_000);
      seconds += 1;
      return other.received.length === 2;
    });
  });

  test('resync instead of receiving very many events', async () => {
    const [{ broadcast }, other] = [await start(), await start()];
    for (let i = 0; i < 101; i += 1) broadcast.send(Array.from({ length: 100 }, () => MAIL));
    await until(() => other.received.length > 0);
    expect(other.received).toEqual(['events-missed']);
  });

  test('let clients move on when their connection is lost for long', async () => {
    const { broadcast, missed } = await start();
    const name = new URL(database.url).pathname.slice(1);
    const cluster = process.env['PARLEY_TEST_CLUSTER'] ?? '';
    await runOn(cluster, `alter database ${name} allow_connections false`);
    try {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      await runOn(
        cluster,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      await until(() => !broadcast.isListening());
      expect(missed.count).toBe(0);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(missed.count).toBe(1);
    } finally {
      await runOn(cluster, `alter database ${name} allow_connections true`);
    }
    await until(() => broadcast.isListening());
    await until(() => missed.count === 2);
  });

  test('reject writes with events while they are not connected', async () => {
    let isListening = false;
    const pools = { pool, exclusivePool: pool };
    const observer = { isListening: () => isListening };
    const storage = createPostgresStorage(pools, createPendingWork(), observer);
    const insert = (name: string, events: DomainEvent[]) =>
      storage.write(async ({ trx, emit }) => {
        await trx.insertInto('secrets').values({ name, value: newId() }).execute();
        for (const event of events) emit(event);
      });
    await insert('without', []);
    const error = await insert('with', [MAIL]).catch((thrown: unknown) => thrown);
    expect(postgresErrorCode(error)).toBe('unavailable');
    isListening = true;
    await insert('with', [MAIL]);
  });
});

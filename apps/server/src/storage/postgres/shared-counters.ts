import type pg from 'pg';
import type { SharedCounter, SharedCounters } from '../cluster.ts';
import { Rollback } from '../storage.ts';
import type { PendingWork } from './pending-work.ts';
import { query } from './postgres-connection.ts';
import { isRetryable } from './postgres-errors.ts';
import { BEGIN_WRITE, inTransaction, withRetries } from './transaction.ts';

/** Number of expired counters that are deleted per transaction. */
const DELETE_BATCH = 1_000;

/** Milliseconds by which a statement may begin earlier than another one for whose locks it waits. */
const WAIT_MAX = 60_000;

/** The time of a statement in UTC milliseconds. The clocks of servers may differ. */
const NOW = 'floor(extract(epoch from statement_timestamp()) * 1000)::bigint';

// A window that ends later than its length from now began before the clock was put back, and has ended. It ends a
// little later if this statement has waited for the one that began it.
const IS_OPEN = `counter.ends_at > ${NOW} and counter.ends_at <= excluded.ends_at + ${WAIT_MAX}`;

// Every statement locks rows in the order of their keys or skips locked ones, so that deadlocks are
// rare. A transaction is repeated after one. An exhausted counter is locked as well, but not
// returned.
const USE = `
  insert into shared_counters as counter (key, remaining, ends_at)
  select key, max - 1, ${NOW} + duration
  from unnest($1::text[], $2::bigint[], $3::bigint[]) as given (key, max, duration)
  order by key collate "C"
  on conflict (key) do update set
    remaining =
      case when ${IS_OPEN} then counter.remaining - 1 else excluded.remaining end,
    ends_at = case when ${IS_OPEN} then counter.ends_at else excluded.ends_at end
  where not (${IS_OPEN}) or counter.remaining > 0
  returning key`;

const FIND_REMAINING_TIMES = `
  select key, ends_at - ${NOW} as remaining_time from shared_counters where key = any($1::text[])`;

const REFUND = `
  with locked as (
    select counter.key, given.max
    from shared_counters as counter
    join unnest($1::text[], $2::bigint[]) as given (key, max) on given.key = counter.key
    where counter.ends_at > ${NOW}
    order by counter.key
    for update of counter
  )
  update shared_counters as counter
  set remaining = least(counter.remaining + 1, locked.max)
  from locked where locked.key = counter.key`;

const DELETE_EXPIRED = `
  delete from shared_counters where key in (
    select key from shared_counters where ends_at <= ${NOW}
    order by ends_at limit ${DELETE_BATCH} for update skip locked
  )`;

/** Creates the access to the counters of a database. */
export function createSharedCounters(pool: pg.Pool, pending: PendingWork): SharedCounters {
  function runTransaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const runOnce = () => inTransaction(pool, [BEGIN_WRITE], work);
    return pending.run('other', () => withRetries(runOnce, isRetryable));
  }

  return {
    async use(counters, isAllowed) {
      const values = [
        keysOf(counters),
        counters.map(({ max }) => max),
        counters.map(({ duration }) => duration),
      ];
      const result = await runTransaction(async (client) => {
        const used = await query<{ key: string }>(client, { name: 'use', text: USE, values });
        const usedKeys = new Set(used.rows.map(({ key }) => key));
        const others = keysOf(counters).filter((key) => !usedKeys.has(key));
        if (others.length === 0) return new Map<string, number>();
        const exhausted = await findRemainingTimes(client, others);
        return isAllowed(exhausted) ? exhausted : new Rollback(exhausted);
      });
      return result instanceof Rollback ? result.value : result;
    },
    async refund(counters) {
      const values = [keysOf(counters), counters.map(({ max }) => max)];
      await runTransaction((client) => query(client, { text: REFUND, values }));
    },
    async deleteExpired() {
      let deleted: number;
      do {
        const { rowCount } = await runTransaction((client) => query(client, DELETE_EXPIRED));
        deleted = rowCount ?? 0;
      } while (deleted === DELETE_BATCH);
    },
  };
}

async function findRemainingTimes(
  client: pg.ClientBase,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const text = FIND_REMAINING_TIMES;
  const { rows } = await query<{ key: string; remaining_time: number }>(client, {
    text,
    values: [keys],
  });
  return new Map(rows.map(({ key, remaining_time }) => [key, remaining_time]));
}

function keysOf(counters: readonly SharedCounter[]): string[] {
  return counters.map(({ key }) => key);
}

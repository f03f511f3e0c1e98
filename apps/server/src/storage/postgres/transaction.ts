import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Rollback } from '../storage.ts';
import { query } from './postgres-connection.ts';
import { isRejected, toPostgresError } from './postgres-errors.ts';

/** Number of attempts of a transaction that fails because of concurrent ones. */
const ATTEMPTS_MAX = 10;
/** Maximum delay before the second attempt, in milliseconds. It grows with every attempt. */
const RETRY_DELAY = 5;

/** Key of the advisory lock that orders writes. "parley" in ASCII. */
const WRITE_LOCK = '123627512750201';

/** Begins a read-only transaction with one snapshot. */
export const READ_TRANSACTION = 'begin isolation level repeatable read read only';
/** Begins a write transaction that waits for no other one. */
export const BEGIN_WRITE = 'begin isolation level read committed read write';
/** Prepared statements, because every write needs one of them. */
const LOCK = {
  exclusive: {
    name: 'parley_lock',
    text: `select pg_advisory_xact_lock(${WRITE_LOCK})`,
  },
  shared: {
    name: 'parley_lock_shared',
    text: `select pg_advisory_xact_lock_shared(${WRITE_LOCK})`,
  },
};

/** Begins a write transaction that runs alone, over all processes. */
export const WRITE_TRANSACTION = [BEGIN_WRITE, LOCK.exclusive];
/** Begins a write transaction that runs at the same time as others of its kind. */
export const SHARED_WRITE_TRANSACTION = [BEGIN_WRITE, LOCK.shared];

/** Lets a transaction run for any time. */
export const NO_TIMEOUTS = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/**
 * Repeats a transaction as long as `canRepeat` returns true for its error, a limited number of
 * times.
 */
export async function withRetries<T>(
  operation: () => Promise<T>,
  canRepeat: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!canRepeat(error) || attempt >= ATTEMPTS_MAX) throw error;
    }
    await sleep(Math.random() * RETRY_DELAY * attempt);
  }
}

/**
 * Runs work between the statements that begin a transaction and its commit, or its rollback if the
 * work returns a {@link Rollback} or rejects. Calls `onUncertain` if the commit may have succeeded
 * although its response was lost.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: readonly (string | pg.QueryConfig)[],
  work: (client: pg.ClientBase) => Promise<T>,
  onUncertain?: () => void,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toPostgresError(error);
  });
  let isIntact = false;
  // Not awaited: the first query of the work follows immediately.
  const begun = Promise.all(begin.map((statement) => query(client, statement)));
  begun.catch(() => undefined);
  try {
    const result = await work(client);
    await begun;
    const isRolledBack = result instanceof Rollback;
    const { command } = await query(client, isRolledBack ? 'rollback' : 'commit').catch(
      (error: unknown) => {
        if (!isRolledBack && !isRejected(error)) onUncertain?.();
        throw error;
      },
    );
    isIntact = true;
    // PostgreSQL rolls back if a query has failed, even if the work ignored the failure.
    if (!isRolledBack && command !== 'COMMIT')
      throw new Error('the failure of a query was ignored');
    return result;
  } catch (error) {
    isIntact ||= await query(client, 'rollback').then(
      () => true,
      () => false,
    );
    // If the transaction did not begin, the work failed only for that reason.
    await begun;
    throw error;
  } finally {
    // A connection that may still be in a transaction is closed.
    client.release(!isIntact);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Job } from '../cluster.ts';
import { LOCK_HOLDER_SETTINGS } from './postgres-connection.ts';

/** Key of the advisory lock that the leader holds. "leader" in ASCII. */
export const LEADER_LOCK = String(0x6c_65_61_64_65_72);

// Times in milliseconds.
/** Minimum time between two attempts to become the leader. A random part of it is added. */
const ATTEMPT_INTERVAL = 1_000;
const CHECKS: ConnectionChecks = { interval: 2_000, timeout: 5_000 };
const END_TIMEOUT = 2_000;

/** How a leader notices that its connection no longer responds. Milliseconds. */
interface ConnectionChecks {
  readonly interval: number;
  /** Longest time that a response may take. */
  readonly timeout: number;
}

/**
 * Runs a job whenever this process is the leader of its database, which it is while a connection of
 * its own holds a lock. Losing the connection aborts the job; once it has settled, leadership is
 * sought again. Returns a function that ends the job and releases the lock.
 */
export function leadJob(config: pg.ClientConfig, job: Job, checks = CHECKS): () => Promise<void> {
  const closing = new AbortController();
  const ended = seekLeadership(config, job, checks, closing.signal);
  return () => {
    closing.abort();
    return ended;
  };
}

async function seekLeadership(
  config: pg.ClientConfig,
  job: Job,
  checks: ConnectionChecks,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    // Rejects if the connection fails.
    await runTerm(config, job, checks, closing).catch(() => undefined);
    await pause(closing);
  }
}

/** Waits for the lock on a new connection, and runs the job as long as the connection lasts. */
async function runTerm(
  config: pg.ClientConfig,
  job: Job,
  checks: ConnectionChecks,
  closing: AbortSignal,
): Promise<void> {
  // With pipelining, ending the connection would wait for its queries, even if it does not respond.
  const client = new pg.Client({ ...config, pipeline: false });
  const lost = new AbortController();
  client.on('error', () => undefined);
  client.on('end', () => lost.abort());
  try {
    await client.connect();
    void endWhenUnresponsive(client, checks, lost.signal);
    await client.query(LOCK_HOLDER_SETTINGS);
    while (!(await tryLock(client))) {
      await pause(closing);
      if (closing.aborted) return;
    }
    await job(AbortSignal.any([closing, lost.signal]), closing);
    // Releases the lock before this resolves; PostgreSQL ends connections a little later.
    await client.query(`select pg_advisory_unlock(${LEADER_LOCK})`);
  } finally {
    lost.abort();
    const end = client.end().catch(() => undefined);
    await Promise.race([end, sleep(END_TIMEOUT, undefined, { ref: false })]);
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${LEADER_LOCK}) as locked`,
  );
  return rows[0]?.locked === true;
}

/** Ends a connection that no longer responds, which emits `end`. */
async function endWhenUnresponsive(
  client: pg.Client,
  { interval, timeout }: ConnectionChecks,
  lost: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(interval, undefined, { signal: lost, ref: false }).catch(() => undefined);
    if (lost.aborted) return;
    const timer = setTimeout(() => void client.end().catch(() => undefined), timeout);
    await client.query('select 1').catch(() => undefined);
    clearTimeout(timer);
  }
}

/** Resolves before the next attempt, or once the signal is aborted. */
async function pause(signal: AbortSignal): Promise<void> {
  const ms = ATTEMPT_INTERVAL * (1 + Math.random());
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresMigrations } from '../migrations/index.ts';
import type { SchemaState } from '../schema.ts';
import { UnsupportedDatabaseError } from '../storage-errors.ts';
import { PROCESS_LOCK } from './event-broadcast.ts';
import { readPostgresSchema } from './migrate-postgres.ts';
import {
  connectionConfig,
  CONNECTIONS_PER_SERVER,
  createPool,
  query,
} from './postgres-connection.ts';

/** What a server needs to know about a PostgreSQL database before it uses it. */
export interface PostgresReport {
  /** Version such as 180001 for 18.1. */
  readonly version: number;
  /** Encoding of the database, such as UTF8. */
  readonly encoding: string;
  /** Whether the user may create tables. */
  readonly canCreateTables: boolean;
  /** Whether commits are flushed to the disk before they are acknowledged. */
  readonly isDurable: boolean;
  /** Whether the database is a standby that only accepts reads. */
  readonly isReadOnly: boolean;
  /** Another schema of the database with tables of Parley. */
  readonly otherSchema: string | null;
  /** Median duration of a query that does nothing, in milliseconds. */
  readonly latency: number;
  /** Difference between the clocks of the database and of this machine, in milliseconds. */
  readonly clockDifference: number;
  /** Number of connections that are neither used nor reserved. */
  readonly freeConnections: number;
  /** Maximum number of connections of each server. */
  readonly connectionsPerServer: number;
  /** Whether a connection receives notifications and keeps its locks between transactions. */
  readonly hasSessions: boolean;
  /** Number of running servers. One that was killed may count for some seconds more. */
  readonly servers: number;
  readonly schema: SchemaState;
}

const PINGS = 7;
const NOTIFICATION_TIMEOUT = 5_000;

/** Oldest version of PostgreSQL that is supported. */
const VERSION_MIN = 15;

/** Why servers cannot use a database, and what the operator can do about it. */
export interface DatabaseProblem {
  readonly message: string;
  readonly advice: string;
}

/** The problem of connections that do not belong to one session. */
export const NO_SESSIONS: DatabaseProblem = {
  message: 'Connections do not receive notifications.',
  advice: 'Connect to PostgreSQL directly, or set the pooler to session mode.',
};

/** Finds the first problem because of which servers cannot use a database. */
export function findProblem({
  version,
  isReadOnly,
  encoding,
  otherSchema,
}: Pick<PostgresReport, 'version' | 'isReadOnly' | 'encoding' | 'otherSchema'>):
  | DatabaseProblem
  | undefined {
  const major = Math.floor(version / 10_000);
  if (major < VERSION_MIN) {
    return {
      message: `PostgreSQL ${major} is too old.`,
      advice: `Upgrade it to version ${VERSION_MIN} or newer.`,
    };
  }
  if (isReadOnly) {
    return {
      message: 'The database is a standby and only accepts reads.',
      advice: 'Set PARLEY_DATABASE_URL to the primary.',
    };
  }
  if (encoding !== 'UTF8') {
    return {
      message: `The encoding of the database is ${encoding}, which cannot store all characters.`,
      advice: "Create a database with 'create database … encoding utf8 template template0'.",
    };
  }
  // Locks and notifications belong to the whole database.
  if (otherSchema !== null) {
    return {
      message: `Another installation uses the schema ${otherSchema} of the database.`,
      advice: 'Create a database for each installation.',
    };
  }
  return undefined;
}

/**
 * Checks whether servers can use a database.
 * @throws {UnsupportedDatabaseError} if they cannot.
 */
export async function assertSupported(databaseUrl: string, pool: pg.Pool): Promise<void> {
  const problem =
    findProblem(await readSettings(pool)) ??
    ((await hasSessions(databaseUrl, pool)) ? undefined : NO_SESSIONS);
  if (problem === undefined) return;
  throw new UnsupportedDatabaseError(`${problem.message} ${problem.advice}`);
}

/**
 * Examines a database without changing it.
 * @throws {PostgresConnectionError}, or an error of PostgreSQL.
 */
export async function inspectPostgres(databaseUrl: string): Promise<PostgresReport> {
  const pool = createPool(databaseUrl, 2);
  try {
    return {
      ...(await readSettings(pool)),
      ...(await measure(pool)),
      connectionsPerServer: CONNECTIONS_PER_SERVER,
      hasSessions: await hasSessions(databaseUrl, pool),
      schema: await readPostgresSchema(pool, postgresMigrations),
    };
  } finally {
    await pool.end();
  }
}

type Settings = Pick<
  PostgresReport,
  | 'version'
  | 'encoding'
  | 'canCreateTables'
  | 'isDurable'
  | 'isReadOnly'
  | 'otherSchema'
  | 'freeConnections'
  | 'servers'
>;

// Servers before version 16 have no `reserved_connections`.
const SETTINGS = `
  select
    current_setting('server_version_num')::int as "version",
    current_setting('server_encoding') as "encoding",
    has_schema_privilege(current_schema(), 'create') as "canCreateTables",
    current_setting('fsync') = 'on'
      and current_setting('synchronous_commit') <> 'off' as "isDurable",
    pg_is_in_recovery() as "isReadOnly",
    (
      select min(schemaname)::text from pg_tables
      where tablename = 'shared_counters' and schemaname <> current_schema()
    ) as "otherSchema",
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0)
      - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int
      as "freeConnections",
    (
      select count(*)::int from pg_locks
      where locktype = 'advisory' and classid = ${PROCESS_LOCK} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as "servers"`;

/** Returns how many servers run on a database. One that was killed may count for some seconds more. */
export async function countServers(databaseUrl: string): Promise<number> {
  const pool = createPool(databaseUrl, 1);
  try {
    return (await readSettings(pool)).servers;
  } finally {
    await pool.end();
  }
}

async function readSettings(pool: pg.Pool): Promise<Settings> {
  const { rows } = await query<Settings>(pool, SETTINGS);
  const [settings] = rows;
  if (settings === undefined) throw new Error('the database returned no settings');
  return settings;
}

async function measure(
  pool: pg.Pool,
): Promise<Pick<PostgresReport, 'latency' | 'clockDifference'>> {
  const pings: { latency: number; clockDifference: number }[] = [];
  for (let i = 0; i < PINGS; i += 1) {
    const startedAt = performance.now();
    const before = Date.now();
    const { rows } = await query<{ now: number }>(
      pool,
      'select extract(epoch from clock_timestamp()) * 1000 as now',
    );
    const latency = performance.now() - startedAt;
    const clockDifference = (rows[0]?.now ?? before) - (before + latency / 2);
    pings.push({ latency, clockDifference });
  }
  const sorted = pings.toSorted((a, b) => a.latency - b.latency);
  return sorted[Math.floor(PINGS / 2)] ?? { latency: 0, clockDifference: 0 };
}

/**
 * Returns whether a connection belongs to one session of the server. A pooler in transaction mode
 * gives each transaction another session: notifications and locks of servers would not work.
 */
async function hasSessions(databaseUrl: string, pool: pg.Pool): Promise<boolean> {
  const client = new pg.Client(connectionConfig(databaseUrl));
  client.on('error', () => undefined);
  const channel = `parley_check_${process.pid}`;
  try {
    await client.connect();
    const received = new Promise<boolean>((resolve) => {
      client.on('notification', () => resolve(true));
    });
    await client.query(`listen ${channel}`);
    await query(pool, { text: 'select pg_notify($1, $2)', values: [channel, ''] });
    const timeout = new AbortController();
    const isLate = sleep(NOTIFICATION_TIMEOUT, false, { signal: timeout.signal });
    isLate.catch(() => undefined);
    const isReceived = await Promise.race([received, isLate]);
    timeout.abort();
    return isReceived;
  } finally {
    await client.end().catch(() => undefined);
  }
}

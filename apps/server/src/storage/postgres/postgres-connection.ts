import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import pg from 'pg';
import { createBatchingSocket } from './batching-socket.ts';
import { isOutdatedStatement, toPostgresError } from './postgres-errors.ts';

/** Object identifier of a type. */
type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** Maximum number of connections of a server that reads and concurrent writes use. */
export const POOL_SIZE = 10;

/**
 * Number of connections of a server for writes that run one at a time. While one runs, the next one
 * can wait for the lock. More would only keep connections from others.
 */
export const EXCLUSIVE_POOL_SIZE = 2;

/** Maximum number of connections of a server: both pools, its listener and the leadership. */
export const CONNECTIONS_PER_SERVER = POOL_SIZE + EXCLUSIVE_POOL_SIZE + 2;

const { INT8, NUMERIC } = pg.types.builtins;

/** Settings that every connection shares. */
const CLIENT = {
  application_name: 'parley',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  // A transaction of a lost process holds its locks until one of these times is over. Milliseconds.
  statement_timeout: 8_000,
  idle_in_transaction_session_timeout: 2_000,
  // Closes a connection that does not respond any more. Longer than `statement_timeout`.
  query_timeout: 9_000,
  types: {
    // All numbers of the schema are below 2^53.
    getTypeParser: (oid: TypeId, format?: 'text' | 'binary'): unknown =>
      oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
  },
} satisfies pg.PoolConfig;

/** Settings of connections whose statements may run for any time. */
export const NO_STATEMENT_LIMITS = { statement_timeout: 0, query_timeout: 0 };

/**
 * Statements that prepare a connection to hold an advisory lock for as long as its process lives.
 * PostgreSQL detects within about 15 seconds that the machine of a connection is gone, and then
 * releases its locks.
 */
export const LOCK_HOLDER_SETTINGS =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; ' +
  "set statement_timeout = 0; set idle_session_timeout = 0; set tcp_user_timeout = '15s'";

/** Returns the configuration of a connection that is not in a pool. */
export function connectionConfig(databaseUrl: string): pg.ClientConfig {
  return { ...CLIENT, connectionString: databaseUrl };
}

/**
 * Creates a pool of connections to the database of a URL. It opens none before the first query.
 * `settings` override those that every connection shares.
 */
export function createPool(
  databaseUrl: string,
  size: number,
  settings: pg.PoolConfig = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(databaseUrl),
    ...settings,
    max: size,
    // Sends the queries of a transaction without waiting for the results of the previous ones. Not
    // for other connections: ending one waits for its queries then, even if it does not respond.
    pipeline: true,
    stream: createBatchingSocket,
  });
  // The query that uses a failing connection rejects with its error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}

/** Maximum number of prepared statements per connection. Others are planned for each execution. */
const STATEMENTS_MAX = 500;

/** The names of prepared statements, by their SQL. Shared by all connections. */
const statementNames = new Map<string, string>();
let statementCount = 0;

/** Executes Kysely's queries on a connection. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementName(sql);
    const { rows, rowCount } = await query<Row & pg.QueryResultRow>(this.#client, {
      text: sql,
      values: parameters.map(withoutNull),
      ...(name !== undefined && { name }),
    }).catch((error: unknown) => {
      // Prepares all statements again, under other names, unless that has already happened.
      if (isOutdatedStatement(error) && statementNames.get(sql) === name) statementNames.clear();
      throw error;
    });
    return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming is not supported');
  }
}

/**
 * Runs a query.
 * @throws {PostgresConnectionError}, or the server's error with its SQLSTATE.
 */
export async function query<Row extends pg.QueryResultRow>(
  client: pg.ClientBase | pg.Pool,
  config: string | pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  try {
    return await client.query<Row>(config as pg.QueryConfig);
  } catch (error) {
    throw toPostgresError(error);
  }
}

/**
 * Replaces null characters, which PostgreSQL rejects, so that a lookup of a text with one finds
 * nothing. Texts to store have none.
 */
export function withoutNull(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value;
}

function statementName(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known !== undefined || statementNames.size >= STATEMENTS_MAX) return known;
  const name = `parley_${statementCount}`;
  statementCount += 1;
  statementNames.set(sql, name);
  return name;
}

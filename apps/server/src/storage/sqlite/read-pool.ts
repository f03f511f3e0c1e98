import type SQLite from 'better-sqlite3';
import type { QueryExecutor } from 'kysely';
import { takeTurn } from '../../scheduling/time-slices.ts';
import { runInScope } from '../scope.ts';
import type { Reader } from '../storage.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** A pool of read-only connections; each serves one read at a time. */
export interface ReadPool {
  /** Runs queries in one transaction as soon as there is time for it and a connection is free. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Runs work on a connection without a transaction as soon as one is free. */
  useConnection<T>(work: (sqlite: SQLite.Database) => T): Promise<T>;
  /** Waits for reads in progress and closes the connections. */
  close(): Promise<void>;
}

interface Connection {
  readonly sqlite: SQLite.Database;
  readonly kysely: SqliteConnection;
  readonly begin: SQLite.Statement;
  readonly end: SQLite.Statement;
}

/** Creates a pool of the given connections. */
export function createReadPool(
  executor: QueryExecutor,
  connections: readonly SQLite.Database[],
): ReadPool {
  const free: Connection[] = connections.map((sqlite) => ({
    sqlite,
    kysely: new SqliteConnection(sqlite),
    begin: sqlite.prepare('begin'),
    end: sqlite.prepare('commit'),
  }));
  const waiting: ((connection: Connection) => void)[] = [];
  let isClosed = false;

  // The most recently used connection comes first because its cache is warm.
  function acquire(): Connection | Promise<Connection> {
    return free.pop() ?? new Promise((resolve) => waiting.push(resolve));
  }

  function release(connection: Connection): void {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  }

  async function withConnection<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    if (isClosed) throw new Error('the storage is closed');
    const connection = await acquire();
    try {
      return await work(connection);
    } finally {
      release(connection);
    }
  }

  return {
    async read(work) {
      await takeTurn();
      return withConnection(async ({ kysely, begin, end }) => {
        begin.run();
        try {
          return await runInScope('read', executor, kysely, work);
        } finally {
          end.run();
        }
      });
    },
    useConnection: (work) => withConnection(({ sqlite }) => work(sqlite)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const _ of connections) (await acquire()).sqlite.close();
    },
  };
}

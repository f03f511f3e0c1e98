import { closeSync, existsSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';

/**
 * Opens a database file for reading and writing, and creates it if it does not exist.
 * @throws an `SqliteError` if the file cannot be opened or is not a database.
 */
export function openWritable(file: string): SQLite.Database {
  if (!existsSync(file)) createPrivateFile(file);
  const sqlite = new SQLite(file);
  return configure(sqlite, () => {
    sqlite.pragma('journal_mode = WAL');
    // With WAL, only FULL flushes every commit, so that acknowledged writes survive a power failure.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('cache_size = -16000');
    // In pages: 16 MB of write-ahead log. New messages often rewrite the same pages, so fewer
    // checkpoints than by default avoid most of the work.
    sqlite.pragma('wal_autocheckpoint = 4000');
    // Overwrites deleted texts in the file; FAST would leave them in free pages.
    sqlite.pragma('secure_delete = ON');
  });
}

/**
 * Opens an existing database file for reading.
 * @throws an `SqliteError` if the file does not exist or cannot be opened.
 */
export function openReadOnly(file: string): SQLite.Database {
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true });
  return configure(sqlite, () => sqlite.pragma('cache_size = -8000'));
}

function configure(sqlite: SQLite.Database, set: () => void): SQLite.Database {
  try {
    sqlite.pragma('busy_timeout = 5000');
    set();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Creates an empty file that only this user can read. SQLite creates its write-ahead log with the
 * same mode.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Another process has just created it, or it cannot be created, and SQLite reports the reason.
  }
}

const STATEMENTS_MAX = 300;

/** Executes Kysely's queries on a connection and caches prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly #sqlite: SQLite.Database;
  readonly #statements = new LRUCache<string, SQLite.Statement>({ max: STATEMENTS_MAX });

  constructor(sqlite: SQLite.Database) {
    this.#sqlite = sqlite;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    for (const row of this.#prepare(sql).iterate(parameters)) {
      yield { rows: [row as Row] };
    }
  }

  // SQLite takes longer to prepare most statements than to execute them.
  #prepare(query: string): SQLite.Statement {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    const statement = this.#sqlite.prepare(query);
    this.#statements.set(query, statement);
    return statement;
  }
}

import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';

/** A message of the baseline. */
interface BaselineMessage {
  id: string;
  chatroom: string;
  content: string;
  created_at: number;
}

/** Inserts a message. Resolves once it is flushed to the disk. */
type Insert = (row: BaselineMessage) => Promise<unknown>;

interface Tables {
  messages: BaselineMessage;
}

/**
 * Opens a database that commits the inserts of a turn of the event loop together, as the product
 * does.
 */
export function openBaselineSqlite(dataDir: string): Insert {
  const sqlite = new SQLite(join(dataDir, 'baseline.db'));
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.exec(
    'create table if not exists messages (id text primary key, chatroom text not null, content text not null, created_at integer not null) strict, without rowid',
  );
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  let waiting: { row: BaselineMessage; done: () => void }[] = [];
  let isDraining = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await db.transaction().execute(async (trx) => {
        for (const { row } of batch) await trx.insertInto('messages').values(row).execute();
      });
      for (const { done } of batch) done();
      await new Promise((resolve) => setImmediate(resolve));
    }
    isDraining = false;
  }

  return (row) =>
    new Promise<void>((resolve) => {
      waiting.push({ row, done: resolve });
      if (isDraining) return;
      isDraining = true;
      setImmediate(() => void drain());
    });
}

/**
 * Opens a database with one commit for each insert, over a pool of the same size as the product's.
 */
export async function openBaselinePostgres(databaseUrl: string): Promise<Insert> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await pool.query(
    'create schema if not exists baseline; create table if not exists baseline.messages (id text primary key, chatroom text not null, content text not null, created_at bigint not null)',
  );
  const inserts = db.withSchema('baseline');
  return (row) => inserts.insertInto('messages').values(row).execute();
}

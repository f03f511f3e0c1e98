import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Client } from 'pg';

/** The database of a measured server, to run queries beside it. */
export interface SearchDatabase {
  /** Returns the number that a query selects. */
  readonly query: (sql: string) => Promise<number>;
  /** Selects the number of messages of a user that contain a word, by looking at each one. */
  readonly scan: (userId: string, word: string) => string;
  /** Selects the size of the search index in bytes. */
  readonly indexSize: string;
  /** The engine's own index of trigrams. */
  readonly trigrams: {
    readonly name: string;
    readonly statements: readonly string[];
    /** Removes the index, so that it does not slow down what is measured later. */
    readonly removal: string;
    /** Selects the number of a user's messages among the newest ones that contain a word. */
    readonly search: (userId: string, word: string) => string;
  };
  readonly close: () => Promise<void>;
}

/** Number of results of a page, and one more. */
const PAGE = 21;

const fromUser = (userId: string) =>
  `from chatroom_members as me join messages as message on message.chatroom_id = me.chatroom_id
   where me.user_id = '${userId}'`;

/** Opens the SQLite database in a data folder. */
export function openSqlite(dataDir: string): SearchDatabase {
  const db = new SQLite(join(dataDir, 'parley.db'));
  return {
    query: async (sql) => {
      const statement = db.prepare(sql);
      if (statement.reader) return Number(statement.pluck().get());
      statement.run();
      return 0;
    },
    scan: (userId, word) => `select count(*) ${fromUser(userId)} and instr(content, '${word}') > 0`,
    indexSize: `select sum(pgsize) from dbstat where name like '%search_%'`,
    trigrams: {
      name: 'FTS5',
      statements: [
        `create virtual table temp.own_index using fts5 (content, content = '', tokenize = 'trigram')`,
        `insert into temp.own_index (rowid, content) select rowid, content from messages`,
      ],
      removal: 'drop table temp.own_index',
      search: (userId, word) =>
        `select count(*) from (select 1 from temp.own_index as found
           join messages as message on message.rowid = found.rowid
           join chatroom_members as me on me.chatroom_id = message.chatroom_id
           where own_index match '"${word}"' and me.user_id = '${userId}' limit ${PAGE})`,
    },
    close: async () => void db.close(),
  };
}

/** Opens a PostgreSQL database. */
export async function openPostgres(url: string): Promise<SearchDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  return {
    query: async (sql) => {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
      return Number(rows[0]?.[0] ?? 0);
    },
    scan: (userId, word) =>
      `select count(*) ${fromUser(userId)} and strpos(content, '${word}') > 0`,
    indexSize: `select sum(pg_total_relation_size(oid)) from pg_class
      where relname in ('search_rooms', 'search_blocks', 'search_trigrams')`,
    trigrams: {
      name: 'pg_trgm',
      statements: [
        'create extension pg_trgm',
        'create index own_index on messages using gin (content gin_trgm_ops)',
        'analyze messages',
      ],
      removal: 'drop index own_index',
      search: (userId, word) =>
        `select count(*) from (select 1 ${fromUser(userId)}
           and message.content like '%${word}%' limit ${PAGE}) as found`,
    },
    close: async () => {
      // Otherwise, one begins while messages are sent, and their commits wait until all copied rows are on the disk.
      await client.query('checkpoint');
      await client.end();
    },
  };
}

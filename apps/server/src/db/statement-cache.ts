import type SQLite from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const MAX_STATEMENTS = 300;

/**
 * Kysely prepares a statement anew for each execution; SQLite spends more on that than on most of
 * our queries. This keeps the most recent ones.
 */
export function cacheStatements(sqlite: SQLite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => {
      statements.clear();
      sqlite.close();
    },
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement) {
        statements.delete(sql);
      } else {
        statement = sqlite.prepare(sql) as unknown as SqliteStatement;
      }
      statements.set(sql, statement);
      if (statements.size > MAX_STATEMENTS) {
        statements.delete(statements.keys().next().value ?? sql);
      }
      return statement;
    },
  };
}

import type SQLite from 'better-sqlite3';

const MAX_STATEMENTS = 300;

/** The most recently used statements of a connection. */
export interface StatementCache {
  prepare(sql: string): SQLite.Statement;
}

/** Keeps statements, since SQLite spends more time on preparing than on executing most of ours. */
export function cacheStatements(sqlite: SQLite.Database): StatementCache {
  const statements = new Map<string, SQLite.Statement>();
  return {
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement) statements.delete(sql);
      else statement = sqlite.prepare(sql);
      statements.set(sql, statement);
      if (statements.size > MAX_STATEMENTS) {
        statements.delete(statements.keys().next().value ?? sql);
      }
      return statement;
    },
  };
}

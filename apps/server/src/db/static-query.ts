import { sql, type Compilable, type CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import type { Database } from './database.ts';

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Names a value that each execution of a static query is given. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/**
 * A query whose text is the same for every execution. Kysely spends more time on putting a query
 * together than SQLite on most of ours, so it does that once, at the first execution.
 */
export function staticQuery<Values extends object, Row>(
  build: (db: Kysely<Database>, param: Param<Values>) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, values) => {
    compiled ??= build(db, placeholder).compile();
    const given = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? given[parameter.name] : parameter,
    );
    return db.executeQuery<Row>({ ...compiled, parameters });
  };
}

// The builder takes an expression for a value wherever it takes a value. It is one that SQLite's
// planner does not look into: where a parameter stands bare, most queries are planned anew for each
// execution (`sqlite3ExprIsInteger`), which costs a join of four tables 30 µs instead of 5.
function placeholder(name: string): never {
  return sql`coalesce(${new Placeholder(name)}, null)` as never;
}

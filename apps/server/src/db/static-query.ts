import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
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
    // The builder passes a value on unseen, so that a placeholder can take its place.
    compiled ??= build(db, (name) => new Placeholder(name) as never).compile();
    const given = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? given[parameter.name] : parameter,
    );
    return db.executeQuery<Row>({ ...compiled, parameters });
  };
}

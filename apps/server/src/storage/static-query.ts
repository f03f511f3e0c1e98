import {
  QueryCreator,
  sql,
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type QueryResult,
} from 'kysely';
import { executeCompiled, executorOf } from './scope.ts';
import { opaque } from './expressions.ts';
import type { Reader, Writer } from './storage.ts';
import type { Tables } from './tables/index.ts';

/** Takes the place of a value while a query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Names a value that is passed to each execution of a static query. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/**
 * Prepares a select whose text is the same for every execution. Building a query takes Kysely longer
 * than SQLite needs to execute it, so it is built only once, at the first execution. Its executions resolve to
 * the rows.
 */
export function staticSelect<Values extends object, Row>(
  build: (db: Reader, param: Param<Values>) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<Row[]> {
  const select = compileOnce(build);
  return async (reader, values) => (await select(reader, values)).rows;
}

/** Prepares a select as {@link staticSelect} does. Its executions resolve to the first row, if any. */
export function staticFind<Values extends object, Row>(
  build: (db: Reader, param: Param<Values>) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<Row | undefined> {
  const select = compileOnce(build);
  return async (reader, values) => (await select(reader, values)).rows[0];
}

/**
 * Prepares an insert, update or delete whose text is the same for every execution. Its executions
 * resolve to the first row that it returns, if any.
 */
export function staticWrite<Values extends object, Row>(
  build: (
    db: Pick<Writer, 'insertInto' | 'updateTable' | 'deleteFrom'>,
    param: Param<Values>,
  ) => Compilable<Row>,
): (trx: Writer, values: Values) => Promise<Row | undefined> {
  const write = compileOnce(build);
  return async (trx, values) => (await write(trx, values)).rows[0];
}

function compileOnce<Values extends object, Row>(
  build: (db: QueryCreator<Tables>, param: Param<Values>) => Compilable<Row>,
): (handle: Reader, values: Values) => Promise<QueryResult<Row>> {
  const compiledFor = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return (handle, values) => {
    const executor = executorOf(handle);
    let compiled = compiledFor.get(executor.adapter);
    if (compiled === undefined) {
      compiled = build(new QueryCreator<Tables>({ executor }), placeholder).compile();
      compiledFor.set(executor.adapter, compiled);
    }
    const given = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? given[parameter.name] : parameter,
    );
    return executeCompiled(handle, { ...compiled, parameters });
  };
}

// Kysely accepts an expression wherever it accepts a value.
function placeholder(name: string): never {
  return opaque(sql`${new Placeholder(name)}`) as never;
}

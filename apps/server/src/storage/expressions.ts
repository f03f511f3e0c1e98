import {
  FunctionNode,
  sql,
  type ConnectionProvider,
  type Expression,
  type RawBuilder,
} from 'kysely';

// Expressions that differ between engines. Each function here builds a call that the engine's query
// compiler translates.

/** Functions that every engine's query compiler translates in its own way. */
export const ENGINE_FUNCTION = {
  /** A value that the planner must not inspect. */
  opaque: 'parley_opaque',
  /** A limit that PostgreSQL needs for its plan. */
  plannedLimit: 'parley_planned_limit',
  /** The strings of a JSON array, as the right-hand side of `in`. */
  textsOf: 'parley_texts_of',
  /** Rows of a text and two integers from JSON, as a table. */
  rowsOf: 'parley_rows_of',
} as const;

/** What an engine puts before and after the argument of each of these functions. */
export type EngineFunctions = Readonly<Record<string, readonly [before: string, after: string]>>;

/** The provider of executors, for which the read or write provides the connection. */
export const NO_CONNECTIONS: ConnectionProvider = {
  provideConnection: () => Promise.reject(new Error('the query has no connection')),
};

/** Selects the beginning of a text, with at most `max` code points, as `cutExcerpt` returns it. */
export function selectExcerpt<Text extends string | null>(
  column: string,
  max: number,
): RawBuilder<Text> {
  return sql<Text>`substr(${sql.ref(column)}, 1, ${sql.lit(max)})`;
}

/**
 * Hides a value from the planner, which would otherwise plan a static query again for each execution.
 */
export function opaque(value: Expression<unknown>): RawBuilder<unknown> {
  return call(ENGINE_FUNCTION.opaque, value);
}

/**
 * Limits a part of a union that is limited itself. Without it, PostgreSQL may read and sort all rows of the part; with
 * it, SQLite would sort the rows that it reads in order.
 */
export function plannedLimit(limit: unknown): RawBuilder<unknown> {
  return call(ENGINE_FUNCTION.plannedLimit, asExpression(limit));
}

/**
 * Returns the right-hand side of `in` for any number of texts, passed as a JSON array in one parameter.
 */
export function textsOf(json: string): RawBuilder<string> {
  return call(ENGINE_FUNCTION.textsOf, asExpression(json));
}

/** A row of {@link rowsOf}. */
export type ParameterRow = readonly [key: string, first: number, second: number];

/**
 * Returns a table of any number of rows, passed as JSON of {@link ParameterRow}s in one parameter. Join other tables
 * with `crossJoin` and conditions: SQLite then reads these rows first, and finds theirs by an index. Otherwise it may
 * read all rows of this table for each row of another one.
 */
export function rowsOf(json: string): RawBuilder<{ key: string; first: number; second: number }> {
  return call(ENGINE_FUNCTION.rowsOf, asExpression(json));
}

function asExpression(value: unknown): Expression<unknown> {
  return sql`${value}`;
}

function call<T>(name: string, argument: Expression<unknown>): RawBuilder<T> {
  const node = FunctionNode.create(name, [argument.toOperationNode()]);
  return sql<T>`${{ expressionType: undefined, toOperationNode: () => node }}`;
}

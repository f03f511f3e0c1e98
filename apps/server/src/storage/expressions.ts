import { FunctionNode, sql, type Expression, type RawBuilder } from 'kysely';

// What engines write differently. An expression is a call of one of these functions, which the engine's
// query compiler replaces.

/** Functions that every engine's query compiler writes in its own way. */
export const ENGINE_FUNCTION = {
  /** A column, such that the planner uses no index on it. */
  withoutIndex: 'parley_without_index',
  /** A value whose content the planner does not look at. */
  opaque: 'parley_opaque',
  /** The texts of a JSON array, as the right-hand side of `in`. */
  textsOf: 'parley_texts_of',
} as const;

/** A column that is compared without using an index on it, where another index serves better. */
export function withoutIndex(column: string): RawBuilder<unknown> {
  return call(ENGINE_FUNCTION.withoutIndex, sql.ref(column));
}

/** A value whose content does not make the engine plan a static query again for each execution. */
export function opaque(value: Expression<unknown>): RawBuilder<unknown> {
  return call(ENGINE_FUNCTION.opaque, value);
}

/** The right-hand side of `in` for any number of texts, given as a JSON array in one parameter. */
export function textsOf(json: string): RawBuilder<string> {
  return call(ENGINE_FUNCTION.textsOf, asExpression(json));
}

function asExpression(value: unknown): Expression<unknown> {
  return sql`${value}`;
}

function call<T>(name: string, argument: Expression<unknown>): RawBuilder<T> {
  const node = FunctionNode.create(name, [argument.toOperationNode()]);
  return sql<T>`${{ expressionType: undefined, toOperationNode: () => node }}`;
}

import {
  DefaultQueryExecutor,
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  type FunctionNode,
  type QueryExecutor,
} from 'kysely';
import { ENGINE_FUNCTION, NO_CONNECTIONS, type EngineFunctions } from '../expressions.ts';

/**
 * Shared by all connections: static queries use it to identify the engine they were compiled for.
 */
const ADAPTER = new PostgresAdapter();

const FUNCTIONS: EngineFunctions = {
  // Prepared statements keep their plan.
  [ENGINE_FUNCTION.opaque]: ['', ''],
  [ENGINE_FUNCTION.plannedLimit]: ['limit ', ''],
  [ENGINE_FUNCTION.textsOf]: ['(select jsonb_array_elements_text(', '::jsonb))'],
  [ENGINE_FUNCTION.rowsOf]: [
    '(select value ->> 0 as key, (value ->> 1)::bigint as first, (value ->> 2)::bigint as second from jsonb_array_elements(',
    '::jsonb) as value)',
  ],
};

class ParleyPostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [before, after] = FUNCTIONS[node.func] ?? [];
    if (before === undefined || after === undefined) return super.visitFunction(node);
    this.append(before);
    this.compileList(node.arguments);
    this.append(after);
  }
}

/** Creates an executor that compiles queries. The read or write provides the connection. */
export function createPostgresExecutor(): QueryExecutor {
  // PostgreSQL does not accept `in ()`, which SQLite does.
  const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
  return new DefaultQueryExecutor(new ParleyPostgresCompiler(), ADAPTER, NO_CONNECTIONS, plugins);
}

import {
  DefaultQueryExecutor,
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  type FunctionNode,
  type QueryExecutor,
} from 'kysely';
import { ENGINE_FUNCTION } from '../expressions.ts';

/**
 * Shared by all connections: static queries use it to identify the engine they were compiled for.
 */
const ADAPTER = new PostgresAdapter();

class ParleyPostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    switch (node.func) {
      // The planner chooses by its statistics, and prepared statements keep their plan.
      case ENGINE_FUNCTION.withoutIndex:
      case ENGINE_FUNCTION.opaque:
        return this.compileList(node.arguments);
      case ENGINE_FUNCTION.textsOf:
        this.append('(select jsonb_array_elements_text(');
        this.compileList(node.arguments);
        return this.append('::jsonb))');
      case ENGINE_FUNCTION.rowsOf:
        this.append('(select value ->> 0 as key, (value ->> 1)::bigint as first, ');
        this.append('(value ->> 2)::bigint as second from jsonb_array_elements(');
        this.compileList(node.arguments);
        return this.append('::jsonb) as value)');
      default:
        super.visitFunction(node);
    }
  }
}

/** Creates an executor that compiles queries. The read or write provides the connection. */
export function createPostgresExecutor(): QueryExecutor {
  const provider = {
    provideConnection: () => Promise.reject(new Error('the query has no connection')),
  };
  // PostgreSQL does not accept `in ()`, which SQLite does.
  const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
  return new DefaultQueryExecutor(new ParleyPostgresCompiler(), ADAPTER, provider, plugins);
}

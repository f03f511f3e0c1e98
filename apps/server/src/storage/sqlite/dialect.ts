import {
  CompiledQuery,
  DefaultQueryExecutor,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type FunctionNode,
  type QueryCompiler,
  type QueryExecutor,
  type SqliteDialectConfig,
} from 'kysely';
import { ENGINE_FUNCTION } from '../expressions.ts';

/** Kysely's dialect for SQLite, with Parley's expressions and settings. */
export class ParleySqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createAdapter(): DialectAdapter {
    return ADAPTER;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }

  override createQueryCompiler(): QueryCompiler {
    return new ParleySqliteCompiler();
  }
}

/** SQLite rolls back changes of the schema like any other, so all migrations are one transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One for all connections: by it, static queries know which engine they were compiled for. */
const ADAPTER = new TransactionalAdapter();

/** Takes the write lock when a transaction begins: taken later, after a read, it could be refused. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ParleySqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    switch (node.func) {
      case ENGINE_FUNCTION.withoutIndex:
        this.append('+');
        return this.compileList(node.arguments);
      case ENGINE_FUNCTION.opaque:
        // Where a parameter stands bare, SQLite plans most queries again for each execution
        // (`sqlite3ExprIsInteger`), which costs a join of four tables 30 µs instead of 5.
        this.append('coalesce(');
        this.compileList(node.arguments);
        return this.append(', null)');
      case ENGINE_FUNCTION.textsOf:
        this.append('(select value from json_each(');
        this.compileList(node.arguments);
        return this.append('))');
      default:
        super.visitFunction(node);
    }
  }
}

/** Compiles queries, and executes them on the connection that a read or write brings. */
export function createExecutor(): QueryExecutor {
  return new DefaultQueryExecutor(new ParleySqliteCompiler(), ADAPTER, {
    provideConnection: () => Promise.reject(new Error('a query has no connection')),
  });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  QueryCreator,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryExecutor,
  type QueryResult,
} from 'kysely';
import { StorageMisuseError } from './storage-errors.ts';
import type { Reader, Writer } from './storage.ts';
import type { Tables } from './tables/index.ts';

/** A read or write in progress. */
interface Scope {
  readonly kind: 'read' | 'write';
  isOpen: boolean;
}

// Work started inside a read or write keeps its scope even if it runs after the end. The scope is
// then closed, so such work may start a new read or write.
const currentScope = new AsyncLocalStorage<Scope>();

/**
 * Checks that an operation on the database, such as `storage.read`, is not called inside a read or
 * write, where it could deadlock.
 * @throws {StorageMisuseError} if it is.
 */
export function assertNotNested(operation: string): void {
  const outer = currentScope.getStore();
  if (outer?.isOpen !== true) return;
  throw new StorageMisuseError(
    `${operation} was called inside storage.${outer.kind}. ` +
      'Pass on the reader or the write context of the outer call, or call it afterwards.',
  );
}

/** The queries of one read or write. They fail once it has ended. */
class Handle extends QueryCreator<Tables> implements Writer {
  readonly #executor: QueryExecutor;
  /** Executes a compiled query. */
  readonly execute: DatabaseConnection['executeQuery'];

  constructor(executor: QueryExecutor, execute: DatabaseConnection['executeQuery']) {
    super({ executor });
    this.#executor = executor;
    this.execute = execute;
  }

  getExecutor(): QueryExecutor {
    return this.#executor;
  }
}

/**
 * Runs the work of a read or write with a handle that is valid until the work settles. After that,
 * `assertOpen` throws a {@link StorageMisuseError}.
 */
export async function runInScope<T>(
  kind: Scope['kind'],
  executor: QueryExecutor,
  connection: DatabaseConnection,
  work: (handle: Writer, assertOpen: () => void) => Promise<T>,
): Promise<T> {
  const scope: Scope = { kind, isOpen: true };
  const assertOpen = () => {
    if (scope.isOpen) return;
    throw new StorageMisuseError(
      `A storage.${kind} was used after it had ended. Await everything that it starts.`,
    );
  };
  const handle = new Handle(
    executor.withConnectionProvider({
      async provideConnection(consumer) {
        assertOpen();
        return consumer(connection);
      },
    }),
    (query) => {
      assertOpen();
      return connection.executeQuery(query);
    },
  );
  try {
    return await currentScope.run(scope, work, handle, assertOpen);
  } finally {
    scope.isOpen = false;
  }
}

/**
 * Executes a compiled query on the connection of a handle. Kysely's executor would take as long as SQLite, only to
 * find this connection.
 */
export async function executeCompiled<Row>(
  handle: Reader,
  query: CompiledQuery<Row>,
): Promise<QueryResult<Row>> {
  return (handle as Handle).execute<Row>(query);
}

/** Returns the executor of a handle. Only for this folder: it can also execute writes. */
export function executorOf(handle: Reader): QueryExecutor {
  return (handle as Handle).getExecutor();
}

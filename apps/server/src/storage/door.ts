import { AsyncLocalStorage } from 'node:async_hooks';
import {
  QueryCreator,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryExecutor,
  type QueryResult,
} from 'kysely';
import { StorageMisuseError } from './errors.ts';
import type { Reader, Writer } from './storage.ts';
import type { Tables } from './tables/index.ts';

/** A read or write while it runs. */
interface Door {
  readonly kind: 'read' | 'write';
  isOpen: boolean;
}

// Work that was started inside of a read or write keeps its door here even when it runs later. The door
// is closed by then, so such work may open a new one.
const current = new AsyncLocalStorage<Door>();

/**
 * Keeps a storage operation from waiting for the read or write that it is called in.
 * @throws {StorageMisuseError} if called inside of a read or write.
 */
export function assertOutside(operation: string): void {
  const outer = current.getStore();
  if (outer?.isOpen !== true) return;
  throw new StorageMisuseError(
    `storage.${operation} was called inside of storage.${outer.kind}. ` +
      'Pass on the reader or the write context of the outer call, or call it afterwards.',
  );
}

/** The queries of one read or write. They fail once it is over. */
class Handle extends QueryCreator<Tables> implements Writer {
  readonly #executor: QueryExecutor;

  constructor(executor: QueryExecutor) {
    super({ executor });
    this.#executor = executor;
  }

  getExecutor(): QueryExecutor {
    return this.#executor;
  }
}

/**
 * Runs the work of a read or write with a handle that is good until the work settles. `assertOpen`
 * throws a {@link StorageMisuseError} after that.
 */
export async function runInside<T>(
  kind: Door['kind'],
  executor: QueryExecutor,
  connection: DatabaseConnection,
  work: (handle: Writer, assertOpen: () => void) => Promise<T>,
): Promise<T> {
  const door: Door = { kind, isOpen: true };
  const assertOpen = () => {
    if (door.isOpen) return;
    throw new StorageMisuseError(
      `A storage.${kind} was used after it was over. Await everything that it starts.`,
    );
  };
  const handle = new Handle(
    executor.withConnectionProvider({
      async provideConnection(consumer) {
        assertOpen();
        return consumer(connection);
      },
    }),
  );
  try {
    return await current.run(door, work, handle, assertOpen);
  } finally {
    door.isOpen = false;
  }
}

/** Executes a query that was compiled before. */
export function executeCompiled<Row>(
  handle: Reader,
  query: CompiledQuery<Row>,
): Promise<QueryResult<Row>> {
  return executorOf(handle).executeQuery(query);
}

/** The executor of a handle, which tells its engine. Only for this folder: it also executes writes. */
export function executorOf(handle: Reader): QueryExecutor {
  return (handle as Handle).getExecutor();
}

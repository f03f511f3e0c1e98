import type { DomainEvent } from '../domain-events.ts';
import type { Cluster } from './cluster.ts';
import type { Maintenance } from './maintenance.ts';
import type { SchemaState } from './schema.ts';
import type { Storage } from './storage.ts';

/** Callbacks of a database. */
export interface DatabaseObserver {
  /** Called with the events of each write, after its commit. Must not throw. */
  readonly publish: (event: DomainEvent) => void;
  /**
   * Called after each commit of this process with the number of its writes, its duration and its
   * events. Must not throw.
   */
  readonly onCommitted?: (writes: number, seconds: number, events: readonly DomainEvent[]) => void;
}

/** An open database. */
export interface Database {
  readonly storage: Storage;
  readonly maintenance: Maintenance;
  /** Waits for reads and writes in progress, then closes the database. */
  readonly close: () => Promise<void>;
}

/** A database that a server has opened. */
export interface ServerDatabase extends Database {
  readonly cluster: Cluster;
}

/**
 * A database file opened read-only for checks. Its methods throw an `SqliteError` if it is not a
 * database.
 */
export interface Inspection extends Pick<Storage, 'read'>, Pick<Database, 'close'> {
  /** Returns the first problem of the file, or undefined if it is intact. */
  findDamage(): string | undefined;
  /**
   * Returns how the schema differs from the one that the migrations create, such as `an unknown trigger evil`, or
   * undefined.
   */
  findSchemaDifference(): Promise<string | undefined>;
  /** Returns whether rows reference rows that do not exist. */
  hasBrokenReferences(): boolean;
  /** Like {@link Maintenance.id}, but returns undefined if no server has used the database yet. */
  id(): Promise<string | undefined>;
  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): SchemaState;
}

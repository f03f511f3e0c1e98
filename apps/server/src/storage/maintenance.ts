import type { SchemaState } from './schema.ts';

/** Called with the number of rows that have been copied and of all rows to copy. */
export type OnRowsCopied = (done: number, total: number) => void;

/** Upkeep of a database, and facts about it. */
export interface Maintenance {
  /**
   * Returns what identifies this database among copies of it that `parley restore` or a dump
   * created elsewhere.
   */
  id(): Promise<string>;
  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): Promise<SchemaState>;
  /** Returns the size of the database on disk in bytes, including the write-ahead log. */
  size(): Promise<number>;
  /** Number of writes waiting for their commit. */
  readonly writeQueueDepth: number;
  /**
   * Writes a consistent copy of the database to a new SQLite file. Engines that copy row by row
   * call `onRowsCopied`.
   * @throws if the disk is full or the folder is not writable; leaves no file behind in that case.
   */
  snapshot(file: string, onRowsCopied?: OnRowsCopied): Promise<void>;
  /**
   * Deletes pre-upgrade snapshots that have expired, if the engine creates any; `now` is in UTC
   * milliseconds.
   */
  deleteOldSnapshots(now: number): void;
  /** Returns whether there are pre-upgrade snapshots, to which the operator may go back. */
  hasSnapshots(): boolean;
  /**
   * Truncates the write-ahead log, which still contains deleted texts. Returns false if another
   * process is using the database, instead of waiting and blocking the event loop. Does nothing on
   * engines that recycle their log by themselves.
   */
  truncateWriteAheadLog(): Promise<boolean>;
  /**
   * Rewrites the database, so that no deleted text of earlier versions remains in its free pages.
   * Needs disk space for two more copies. Does nothing on engines without such versions.
   */
  rewrite(): Promise<void>;
}

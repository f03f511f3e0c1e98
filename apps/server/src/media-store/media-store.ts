import type { FileHandle } from 'node:fs/promises';

/** Returns those of the given files that have no row. */
export type FindOrphans = (files: readonly string[]) => Promise<readonly string[]>;

/** Where the files of uploads are. Files are named by the values of `media.file`. */
export interface MediaStore {
  /**
   * Moves a complete, flushed file of the incoming folder into the store and replaces an earlier one
   * with this name. Resolves once the file is durable. After a failure, the caller removes both.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  add(file: string, path: string): Promise<void>;
  /**
   * Opens a file for reading. Returns undefined if it does not exist. `size` is the size in its row,
   * so that an outdated copy is not used. The caller closes the handle.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  open(file: string, size?: number): Promise<FileHandle | undefined>;
  /**
   * Deletes a file if it exists, after the commit that deleted its row. Never throws: returns false if
   * it has to be tried again; the sweep does.
   */
  remove(file: string): Promise<boolean>;
  /**
   * Lists all files in pages.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Goes through all files in pages and deletes those that `findOrphans` returns if they were last
   * modified before `cutoff` (UTC milliseconds). Stops early when `signal` is aborted.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  sweep(cutoff: number, findOrphans: FindOrphans, signal: AbortSignal): Promise<void>;
  /**
   * Deletes local copies of the files that `findOrphans` returns: other servers delete files whose
   * copies are here. Stops early when `signal` is aborted.
   * @throws a file system error.
   */
  sweepCopies(findOrphans: FindOrphans, signal: AbortSignal): Promise<void>;
  /**
   * Marks the store as that of an installation, so that a server with another database never takes its
   * files for orphans.
   * @throws {MediaStoreError} if it belongs to another one or fails.
   */
  claim(owner: string): Promise<void>;
  /**
   * Checks whether a claimed store responds.
   * @throws {MediaStoreError} if not.
   */
  check(): Promise<void>;
  /** Aborts pending transfers and closes connections. */
  close(): Promise<void>;
}

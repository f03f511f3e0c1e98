import type { FileHandle } from 'node:fs/promises';
import type { StoredFile } from './open-stored-file.ts';

/** Returns those of the given files that have no row. */
export type FindOrphans = (files: readonly string[]) => Promise<readonly string[]>;

/** What a store belongs to. */
export interface StoreOwner {
  /** Identifies the installation, and all copies of its database. */
  readonly installation: string;
  /** Identifies one of these databases: a copy that is restored elsewhere has another one. */
  readonly database: string;
}

/** How an upload is opened. */
export interface OpenOptions {
  /** The size in its row, so that an outdated copy is not used. */
  readonly size?: number | undefined;
  /** Whether it is read once only, so that no copy is kept if there is none yet. */
  readonly isReadOnce?: boolean;
}

/**
 * Where the files of uploads and exports are. Files are named by the values of `media.file` and `exports.file`, whose
 * forms differ.
 */
export interface MediaStore {
  /** Whether the files take up space on the disk of the data folder. */
  readonly isOnDisk: boolean;
  /**
   * Moves a complete, flushed file of the incoming folder into the store and replaces an earlier
   * one with this name. Resolves once the file is durable. After a failure, the caller removes
   * both.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  add(file: string, path: string): Promise<void>;
  /**
   * Copies a file under a new name, inside the store where it can. Resolves once the copy is durable.
   * Returns false if the file does not exist. After a failure, the caller removes the copy.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  copy(file: string, copy: string): Promise<boolean>;
  /**
   * Opens the file of an upload for reading. Returns undefined if it does not exist. The caller
   * closes the handle.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  open(file: string, options?: OpenOptions): Promise<FileHandle | undefined>;
  /**
   * Opens the file of an export, which may be larger than the disk, for reading parts of it. Returns
   * undefined if it does not exist with this size. The caller closes it unless it reads a part.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  openExport(file: string, size: number): Promise<StoredFile | undefined>;
  /**
   * Deletes a file if it exists, after the commit that deleted its row. Never throws: returns false
   * if it has to be tried again, also while the store is not claimed; the sweep does.
   */
  remove(file: string): Promise<boolean>;
  /**
   * Lists the files of all uploads in pages.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Goes through all files in pages and deletes those that `findOrphans` returns if they were last
   * modified at least `age` milliseconds ago. Stops early when `signal` is aborted. Does nothing
   * while the store is not claimed.
   * @throws a file system error, or {@link MediaStoreError}.
   */
  sweep(age: number, findOrphans: FindOrphans, signal: AbortSignal): Promise<void>;
  /**
   * Deletes local copies of the files that `findOrphans` returns: other servers delete files whose
   * copies are here. Stops early when `signal` is aborted.
   * @throws a file system error.
   */
  sweepCopies(findOrphans: FindOrphans, signal: AbortSignal): Promise<void>;
  /** Deletes the local copy of a file that another server has replaced. */
  discardCopy(file: string): Promise<void>;
  /**
   * Claims the store for a database, so that a server with another one never takes its files for
   * orphans. Returns whether it belongs to this database. If it belongs to a copy of it, such as
   * the original of a restored backup, files can be added and read but are not deleted, unless
   * `takeOver` is set.
   * @throws {MediaStoreError} if it belongs to another installation or fails.
   */
  claim(owner: StoreOwner, options?: { readonly takeOver?: boolean }): Promise<boolean>;
  /**
   * Returns what the store belongs to, or undefined if it has not been claimed or cannot be.
   * @throws {MediaStoreError} if it fails.
   */
  findOwner(): Promise<StoreOwner | undefined>;
  /**
   * Releases a store without files, so that the next database can claim it. Until then, files that
   * are added can be removed.
   * @throws {MediaStoreError} if it fails.
   */
  release(): Promise<void>;
  /**
   * Checks whether a claimed store responds.
   * @throws {MediaStoreError} if not.
   */
  check(): Promise<void>;
  /** Aborts pending transfers and closes connections. */
  close(): Promise<void>;
}

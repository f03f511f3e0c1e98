import { ArchiveError } from '../backup/archive-reader.ts';
import { ConfigError } from '../config.ts';
import { UnfinishedRestoreError } from '../files/unfinished-restore.ts';
import { MediaStoreError } from '../media-store/media-store-error.ts';
import {
  DatabaseCopyError,
  describePostgresError,
  describeSqliteError,
  FolderInUseError,
  MigrationError,
  UnsupportedDatabaseError,
} from '../storage/storage-errors.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { CommandError, UsageError } from './command.ts';

/** Errors whose message is already a sentence for the operator. */
const OPERATOR_ERRORS = [
  ConfigError,
  FolderInUseError,
  MediaStoreError,
  MigrationError,
  DatabaseCopyError,
  UnsupportedDatabaseError,
  UnfinishedRestoreError,
  CommandError,
  OperatorError,
  UsageError,
  ArchiveError,
];

/** Returns a sentence for the operator that says why a command failed. */
export function describeError(error: unknown): string {
  if (OPERATOR_ERRORS.some((type) => error instanceof type)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const failure = describePostgresError(error) ?? describeSqliteError(error);
  if (failure !== undefined) return failure;
  const code = 'code' in error ? String(error.code) : '';
  const path = 'path' in error ? String(error.path) : 'the data folder';
  switch (code) {
    case 'EADDRINUSE':
      return 'The port is already in use; choose another one with PARLEY_PORT.';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'The address in PARLEY_HOST does not belong to this machine.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Access to ${'syscall' in error && error.syscall === 'listen' ? 'the port' : path} was denied.`;
    case 'ENOTDIR':
      return `A parent of ${path} is not a folder.`;
    case 'EISDIR':
      return 'Expected a file, but found a folder.';
    case 'EPIPE':
      return 'The output was closed by its reader.';
    case 'EEXIST':
      if ('syscall' in error && error.syscall === 'mkdir') return `${path} is not a folder.`;
      return `${path} already exists and was not replaced.`;
    case 'ENOENT':
      // The parent exists: see createFolder.
      if ('syscall' in error && error.syscall === 'mkdir')
        return `The folder ${path} cannot be created.`;
      return `${path} does not exist.`;
    case 'MEDIA_MISSING':
      return `${path} is missing from the data folder. Restore the file, or delete its message.`;
    case 'ADDON_REFUSED':
      return (
        'The native modules of Parley could not be loaded. Set TMPDIR to a folder that is writable, is ' +
        `not full and is not mounted noexec (${error.message}).`
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full.';
    case 'EIO':
      return `The disk reported an error at ${path}. Check the disk, and the log of the system.`;
    default:
      return error.stack ?? error.message;
  }
}

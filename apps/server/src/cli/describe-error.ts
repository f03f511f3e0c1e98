import { ArchiveError } from '../backup/archive-reader.ts';
import { ConfigError } from '../config.ts';
import { FolderInUseError, MigrationError } from '../storage/errors.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { CommandError, UsageError } from './command.ts';

/** Errors whose message is a sentence for the person at the terminal already. */
const OPERATOR_ERRORS = [
  ConfigError,
  FolderInUseError,
  MigrationError,
  CommandError,
  OperatorError,
  UsageError,
  ArchiveError,
];

/** One sentence for the person at the terminal that says why a command could not be carried out. */
export function describeError(error: unknown): string {
  if (OPERATOR_ERRORS.some((type) => error instanceof type)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const path = 'path' in error ? String(error.path) : 'the data folder';
  switch (code) {
    case 'EADDRINUSE':
      return 'The port is already in use; choose another one with PARLEY_PORT.';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'This machine does not have the address that PARLEY_HOST names.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Access to ${'syscall' in error && error.syscall === 'listen' ? 'the port' : path} was refused.`;
    case 'ENOTDIR':
      return `${path} lies below something that is no folder.`;
    case 'EISDIR':
      return 'A file is needed, but a folder was named.';
    case 'EPIPE':
      return 'Nobody reads the output any more.';
    case 'EEXIST':
      if ('syscall' in error && error.syscall === 'mkdir') return `${path} is no folder.`;
      return `${path} exists already and is not replaced.`;
    case 'ENOENT':
      // What is above it exists: see makeFolder.
      if ('syscall' in error && error.syscall === 'mkdir')
        return `No folder can be made at ${path}.`;
      return `${path} does not exist.`;
    case 'MEDIA_MISSING':
      return `${path} is missing in the data folder. Restore that file, or delete the message with it.`;
    case 'ADDON_REFUSED':
      return (
        'The native parts of Parley can be loaded from no folder; set TMPDIR to one that can be ' +
        `written, is not full and is not mounted noexec (${error.message}).`
      );
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return 'The disk is full.';
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return 'The database file is damaged or is no database; restore it from a backup.';
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return 'The database cannot be opened for writing; check the rights of the data folder.';
    default:
      return error.stack ?? error.message;
  }
}

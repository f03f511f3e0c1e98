import { ConfigError } from '../config.ts';
import { MigrationError } from '../db/migrate.ts';

/** One sentence for the person at the terminal that says why a command could not be carried out. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message;
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
    case 'ENOSPC':
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

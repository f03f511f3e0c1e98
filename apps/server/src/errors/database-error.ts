import type { ErrorCode } from '@parley/contract';

/** The code for a fault of the database or the disk, or undefined if the error is no such fault. */
export function storageErrorCode(error: unknown): ErrorCode | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return undefined;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'storage_full';
  // The process or the system has no file descriptor left.
  if (code === 'EMFILE' || code === 'ENFILE') return 'unavailable';
  if (/^SQLITE_(?:BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) {
    return 'unavailable';
  }
  return undefined;
}

/** Whether a write failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
  );
}

/** Returns the error code for a failure of SQLite or its disk, or undefined for any other error. */
export function sqliteErrorCode(error: unknown): 'storage_full' | 'unavailable' | undefined {
  const code = codeOf(error);
  if (isFull(code)) return 'storage_full';
  if (/^SQLITE_(?:BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) {
    return 'unavailable';
  }
  return undefined;
}

/** Returns a sentence for the operator about a failure of SQLite, or undefined for any other error. */
export function describeSqliteError(error: unknown): string | undefined {
  const code = codeOf(error);
  if (isFull(code)) return 'The disk is full.';
  if (isCorruptionError(error)) {
    return 'The database file is damaged or not a database; restore it from a backup.';
  }
  if (/^SQLITE_(?:CANTOPEN|READONLY)/.test(code)) {
    return 'The database cannot be opened for writing; check the permissions of the data folder.';
  }
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) {
    return 'Another process is using the database. Try again in a moment.';
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return `The disk of the database reported an error (${code}). Check the disk, and the log of the system.`;
  }
  return undefined;
}

/** Returns whether an error means that a file is damaged or not a database. */
export function isCorruptionError(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));
}

/** The second is the code if the file that connections share cannot grow. */
function isFull(code: string): boolean {
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns whether an error comes from SQLite. */
export function isSqliteError(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_');
}

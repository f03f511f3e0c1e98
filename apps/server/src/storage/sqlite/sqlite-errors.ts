/** Returns the error code for a failure of SQLite or its disk, or undefined for any other error. */
export function sqliteErrorCode(error: unknown): 'storage_full' | 'unavailable' | undefined {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL') return 'storage_full';
  if (/^SQLITE_(?:BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) {
    return 'unavailable';
  }
  return undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns whether an error comes from SQLite. */
export function isSqliteError(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_');
}

import type { ErrorCode } from '@parley/contract';

/** The error code for a failure of the file system, or undefined if the error is something else. */
export function fileErrorCode(error: unknown): ErrorCode | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'storage_full';
  // The process or the system has no file descriptor left.
  if (code === 'EMFILE' || code === 'ENFILE') return 'unavailable';
  return undefined;
}

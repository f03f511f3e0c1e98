import type { ErrorCode } from '@parley/contract';

/**
 * Returns the error code for a file system error that the operator has to resolve: a full disk, or
 * too many open files. Returns undefined for any other error.
 */
export function fileErrorCode(error: unknown): ErrorCode | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'storage_full';
  // The process or the system is out of file descriptors.
  if (code === 'EMFILE' || code === 'ENFILE') return 'unavailable';
  return undefined;
}

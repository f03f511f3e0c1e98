import type { ErrorCode } from '@parley/contract';

/**
 * Returns the error code for a failure of the disk or the media store, or undefined for any other
 * error.
 */
export function fileErrorCode(error: unknown): ErrorCode | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'storage_full';
  // The process or the system is out of file descriptors.
  if (code === 'EMFILE' || code === 'ENFILE') return 'unavailable';
  if (code === 'MEDIA_STORE') return 'unavailable';
  return undefined;
}

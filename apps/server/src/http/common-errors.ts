import type { ErrorCode } from '@parley/contract';

/** What any signed-in route that only reads can answer besides its own errors. */
export const READ_ERRORS = [
  'unauthenticated',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies ErrorCode[];

/** What any signed-in route that takes a JSON body can answer besides its own errors. */
export const WRITE_ERRORS = [
  ...READ_ERRORS,
  'invalid_request',
  'foreign_origin',
  'too_large',
  'unsupported_media',
  'storage_full',
] as const satisfies ErrorCode[];

/** The same of a route that needs no session. */
export const PUBLIC_WRITE_ERRORS = [
  'invalid_request',
  'foreign_origin',
  'too_large',
  'unsupported_media',
  'rate_limited',
  'internal',
  'unavailable',
  'storage_full',
] as const satisfies ErrorCode[];

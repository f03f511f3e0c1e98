import { fileErrorCode } from '../errors/file-error-code.ts';
import type { ObjectStoreSettings } from '../config-checks/object-store-settings.ts';

/** A response of the store with an error status. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly status: number;
  /** The error code of the S3 protocol; empty if there is none, as after HEAD. */
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(`${status} ${reason}`.trim());
    this.status = status;
    this.reason = reason;
  }
}

/** Returns whether a failure comes from this machine's file system. */
export function isFileError(error: unknown): boolean {
  if (fileErrorCode(error) !== undefined) return true;
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error;
}

/** Codes with status 400 of a request that was damaged or interrupted on its way. */
const TRANSIT_REASONS = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

/** Returns whether a failure may pass: of the connection, of the store itself, or under load. */
export function canPass(error: unknown): boolean {
  if (!(error instanceof ResponseError)) return true;
  if (TRANSIT_REASONS.has(error.reason)) return true;
  return error.status >= 500 || error.status === 429 || error.status === 408;
}

/** Returns a sentence for the operator about a store that is too slow. */
export function describeSlow({ endpoint }: ObjectStoreSettings): string {
  return `The media store at ${endpoint} did not respond in time.`;
}

const KEY_REASONS = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidSecurity']);
const REGION_REASONS = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
]);

/** Returns a sentence for the operator that says why the store cannot be used. */
export function describeFailure(
  error: unknown,
  { endpoint, bucket, region }: ObjectStoreSettings,
): string {
  if (!(error instanceof ResponseError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return error instanceof Error && 'code' in error
      ? `The media store at ${endpoint} cannot be reached or closed the connection (${String(error.code)}).`
      : `The media store at ${endpoint} sent an invalid response (${reason}).`;
  }
  const { status, reason } = error;
  if (reason === 'NoSuchBucket') return `The media store at ${endpoint} has no bucket ${bucket}.`;
  if (KEY_REASONS.has(reason)) {
    return `The media store at ${endpoint} rejected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${reason}).`;
  }
  if (REGION_REASONS.has(reason)) {
    return `The bucket ${bucket} does not belong to the region ${region} (${reason}).`;
  }
  if (reason === 'RequestTimeTooSkewed') {
    return `The clocks of this machine and of the media store at ${endpoint} differ too much.`;
  }
  if (status === 401 || status === 403) {
    return `The media store at ${endpoint} denied access to the bucket ${bucket} (${error.message}).`;
  }
  return `The media store at ${endpoint} responded with an error (${error.message}).`;
}

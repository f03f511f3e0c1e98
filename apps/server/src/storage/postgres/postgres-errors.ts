/** Thrown if the connection to PostgreSQL cannot be opened or is lost. */
class PostgresConnectionError extends Error {
  override readonly name = 'PostgresConnectionError';

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/**
 * Returns a message. The error of a host with several addresses has none, but one for each of them.
 */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ');
  if (isPasswordMissing(cause)) return 'it has no password, which the database demands';
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns whether the database demands a password that the URL does not have. */
export function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && /client password must be a string/.test(error.message);
}

// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNIQUE_VIOLATION = '23505';
const DISK_FULL = '53100';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNKNOWN_STATEMENT = '26000';
/** Function that rejects a statement whose columns have changed since it was prepared. */
const CHECK_OF_PLAN = 'RevalidateCachedQuery';
const LOCK_NOT_AVAILABLE = '55P03';
/**
 * Read-only, a transaction that has failed or was cut off, a lock that was not granted, out of
 * resources or connections, canceled, shutting down, or a failure of the system or of its files.
 * `08` are failed connections.
 */
const UNAVAILABLE = /^(?:08|25006$|25P0|55P03$|53|57|58|XX)/;

/** Returns an error of the driver as the error to throw. */
export function toPostgresError(error: unknown): unknown {
  return isPostgresError(error) ? error : new PostgresConnectionError(error);
}

/** Returns whether PostgreSQL rejected a row because another one has the same unique value. */
export function isPostgresUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/**
 * Returns whether a transaction failed only because of a concurrent one or of an outdated
 * statement, so that it can be retried.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED || isOutdatedStatement(error)
  );
}

/**
 * Returns whether a prepared statement failed because a table has new columns, or because the
 * connection does not have it any more.
 */
export function isOutdatedStatement(error: unknown): boolean {
  if (sqlState(error) === UNKNOWN_STATEMENT) return true;
  return error instanceof Error && 'routine' in error && error.routine === CHECK_OF_PLAN;
}

/** Returns whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** Returns the error code for a failure of PostgreSQL, or undefined for any other error. */
export function postgresErrorCode(error: unknown): 'storage_full' | 'unavailable' | undefined {
  if (error instanceof PostgresConnectionError) return 'unavailable';
  const state = sqlState(error);
  if (state === DISK_FULL) return 'storage_full';
  if (isRetryable(error) || UNAVAILABLE.test(state)) return 'unavailable';
  return undefined;
}

/**
 * Returns whether a failed commit was certainly not made: it was rejected while the server kept
 * running.
 */
export function isRejected(error: unknown): boolean {
  return !(error instanceof PostgresConnectionError) && !/^(?:08|57)/.test(sqlState(error));
}

/** Returns whether PostgreSQL rejected a value or a row. */
export function isInvalidData(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error));
}

/** Returns whether an error comes from PostgreSQL or its driver. */
export function isPostgresError(error: unknown): boolean {
  return error instanceof PostgresConnectionError || sqlState(error) !== '';
}

/**
 * Returns a sentence for the operator about an error of PostgreSQL, or undefined for any other
 * error.
 */
export function describePostgresError(error: unknown): string | undefined {
  if (error instanceof PostgresConnectionError) {
    return `PostgreSQL cannot be reached with PARLEY_DATABASE_URL (${error.message}).`;
  }
  if (error instanceof Error && sqlState(error) !== '') {
    return `PostgreSQL reported an error: ${error.message} (${sqlState(error)}).`;
  }
  return undefined;
}

/** Returns the SQLSTATE of an error of the server, or an empty text. */
function sqlState(error: unknown): string {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

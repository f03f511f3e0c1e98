import {
  ERROR_STATUS,
  type ErrorCode,
  type ErrorResponse,
  type SessionEndReason,
} from '@parley/contract';

/**
 * A user-visible failure with an error code. Services throw it; the error handler sends the
 * response.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** HTTP status of the code. */
  readonly statusCode: number;
  /** Value of the `Retry-After` header, in seconds. */
  readonly retryAfter: number | undefined;
  /** Reason for which the server ended the session; only with `unauthenticated`. */
  readonly sessionEnded: SessionEndReason | undefined;
  /** Whose requests the limit counts, if it is not the user alone; only with `rate_limited`. */
  readonly limitedBy: ErrorResponse['limitedBy'];
  /** Origin at which the server can be used, if it is configured; only with `foreign_origin`. */
  readonly publicUrl: string | undefined;

  constructor(
    code: ErrorCode,
    options: {
      retryAfter?: number;
      sessionEnded?: SessionEndReason | undefined;
      publicUrl?: string | undefined;
      limitedBy?: ErrorResponse['limitedBy'];
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.statusCode = ERROR_STATUS[code];
    this.retryAfter = options.retryAfter;
    this.sessionEnded = options.sessionEnded;
    this.publicUrl = options.publicUrl;
    this.limitedBy = options.limitedBy;
  }
}

import { ERROR_STATUS, type ErrorCode, type SessionEndReason } from '@parley/contract';

/** A refusal with a code of the contract: what a service throws and the error handler answers. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** HTTP status, from the code. */
  readonly statusCode: number;
  /** In seconds, for the `Retry-After` header. */
  readonly retryAfter: number | undefined;
  /** Of `unauthenticated`: why the server ended the session, if it did. */
  readonly sessionEnded: SessionEndReason | undefined;

  constructor(
    code: ErrorCode,
    options: {
      retryAfter?: number;
      sessionEnded?: SessionEndReason | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.statusCode = ERROR_STATUS[code];
    this.retryAfter = options.retryAfter;
    this.sessionEnded = options.sessionEnded;
  }
}

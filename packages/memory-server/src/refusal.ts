import { ERROR_STATUS, type ErrorCode, type SessionEndReason } from '@parley/contract';

/** Ends a request with an error response. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Why the session ended. Only with `unauthenticated`. */
  readonly sessionEnded: SessionEndReason | undefined;

  constructor(code: ErrorCode, sessionEnded?: SessionEndReason) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.sessionEnded = sessionEnded;
  }
}

/** Creates the response for an error. Its message is the code, as clients show their own texts. */
export function errorResponse(code: ErrorCode, sessionEnded?: SessionEndReason): Response {
  const body = { errorMessage: code, code, ...(sessionEnded && { sessionEnded }) };
  return Response.json(body, { status: ERROR_STATUS[code] });
}

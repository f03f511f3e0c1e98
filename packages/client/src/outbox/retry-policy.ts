import { ApiError } from '../api/client.ts';

/** A policy that decides whether to retry what could not be sent, such as an outbox entry. */
export interface RetryPolicy {
  /** Returns whether to stop retrying what has an id. Counts its internal server errors. */
  shouldGiveUp: (id: string, error: ApiError) => boolean;
  /** Resets the count of an id. */
  forget: (id: string) => void;
}

/** Consecutive internal server errors after which the server counts as having refused. */
const SERVER_ERRORS_MAX = 3;

/** Creates a policy without any counted failures. */
export function createRetryPolicy(): RetryPolicy {
  const serverErrors = new Map<string, number>();
  return {
    shouldGiveUp: (id, error) => {
      // The user is signed out, or the server was not reached. What was not sent stays in storage until then.
      if (error.code === 'unauthenticated' || error.isForeign) return false;
      if (error.code !== 'internal') return !error.isTemporary;
      const count = (serverErrors.get(id) ?? 0) + 1;
      serverErrors.set(id, count);
      return count >= SERVER_ERRORS_MAX;
    },
    forget: (id) => void serverErrors.delete(id),
  };
}

/** Converts any failure to send to an `ApiError`. */
export function toSendError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal', 500, String(error));
}

/**
 * Longest wait that a server or a proxy can request, in milliseconds. A timer with a delay of more
 * than 24 days would fire immediately.
 */
const RETRY_AFTER_MAX_MS = 60 * 60 * 1_000;

/** Returns how long the server wants to wait before the next attempt, in milliseconds. */
export function requestedWait({ retryAfter = 0 }: ApiError): number {
  return Math.min(retryAfter * 1_000, RETRY_AFTER_MAX_MS);
}

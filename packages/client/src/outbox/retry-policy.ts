import { ApiError } from '../api/client.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** Judges failures to send. */
export interface RetryPolicy {
  /** Returns whether an entry is not to be sent again by itself. Counts errors inside the server. */
  shouldGiveUp: (entry: OutboxEntry, error: ApiError) => boolean;
  /** Forgets what was counted for an entry. */
  forget: (clientId: string) => void;
}

/** Errors inside the server, in a row, after which an entry counts as refused. */
const SERVER_ERRORS_MAX = 3;

/** Creates a judge that has counted nothing yet. */
export function createRetryPolicy(): RetryPolicy {
  const serverErrors = new Map<string, number>();
  return {
    shouldGiveUp: ({ clientId }, error) => {
      // Signed out: it waits in storage for the next sign-in.
      if (error.code === 'unauthenticated') return false;
      if (error.code !== 'internal') return !error.isTemporary;
      const count = (serverErrors.get(clientId) ?? 0) + 1;
      serverErrors.set(clientId, count);
      return count >= SERVER_ERRORS_MAX;
    },
    forget: (clientId) => void serverErrors.delete(clientId),
  };
}

/** Returns any failure to send as an `ApiError`. */
export function toSendError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal', 500, String(error));
}

import { ApiError } from '../api/client.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** A policy that decides whether to retry failed entries. */
export interface RetryPolicy {
  /** Returns whether to stop retrying an entry. Counts its internal server errors. */
  shouldGiveUp: (entry: OutboxEntry, error: ApiError) => boolean;
  /** Resets the count of an entry. */
  forget: (clientId: string) => void;
}

/** Consecutive internal server errors after which an entry counts as refused. */
const SERVER_ERRORS_MAX = 3;

/** Creates a policy without any counted failures. */
export function createRetryPolicy(): RetryPolicy {
  const serverErrors = new Map<string, number>();
  return {
    shouldGiveUp: ({ clientId }, error) => {
      // The user is signed out. The entry stays in storage until the next login.
      if (error.code === 'unauthenticated') return false;
      if (error.code !== 'internal') return !error.isTemporary;
      const count = (serverErrors.get(clientId) ?? 0) + 1;
      serverErrors.set(clientId, count);
      return count >= SERVER_ERRORS_MAX;
    },
    forget: (clientId) => void serverErrors.delete(clientId),
  };
}

/** Converts any failure to send to an `ApiError`. */
export function toSendError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal', 500, String(error));
}

import { ApiError } from '../api/client.ts';
import { mayReachServer } from '../stores/connection.ts';
import { isChange, type Mutation } from './mutation.ts';
import type { OutboxContext } from './outbox-context.ts';

/** How mutations are sent, and what happens if that fails. */
export interface MutationSender<M extends Mutation> {
  /** Returns what is attempted, for the log. Completes "… failed". */
  readonly describe: (mutation: M) => string;
  /** Sends a mutation. Rejects with any error unless the server has confirmed it. */
  readonly send: (mutation: M) => Promise<void>;
  /** Returns whether a failure counts as a refusal although it may be temporary. */
  readonly shouldGiveUp: (mutation: M, error: ApiError) => boolean;
  /** Returns whether internal server errors never count as a refusal. */
  readonly isPatient?: (mutation: M) => boolean;
  /** Called after a failure before the mutation is sent again. */
  readonly onFailed: (mutation: M, error: ApiError) => void;
  /** Called when a mutation is no longer sent again. */
  readonly onRefused: (mutation: M, error: ApiError) => void | Promise<void>;
}

/** The outcome of an attempt: the lane continues immediately, or after at least these milliseconds. */
export type SendOutcome = 'next' | { readonly retryAfter: number };

/** Consecutive internal server errors after which the server counts as having refused. */
const SERVER_ERRORS_MAX = 3;

/**
 * Longest wait that a server or a proxy can request, in seconds. A timer with a delay of more than 24
 * days would fire immediately.
 */
const RETRY_AFTER_MAX_SECONDS = 60 * 60;

/** Returns a function that sends a mutation and handles a failure. It never rejects. */
export function createAttempts<M extends Mutation>(
  {
    platform,
    signal,
    isVersionSupported,
  }: Pick<OutboxContext, 'platform' | 'signal' | 'isVersionSupported'>,
  { describe, send, shouldGiveUp, isPatient, onFailed, onRefused }: MutationSender<M>,
): (mutation: M) => Promise<SendOutcome> {
  /** The numbers of consecutive internal server errors. */
  const serverErrors = new Map<string, number>();

  function isRefusal(id: string, error: ApiError): boolean {
    // The user is signed out, or the server was not reached. What was not sent stays in storage until then.
    if (error.code === 'unauthenticated' || error.isForeign) return false;
    if (error.code !== 'internal') return !error.isTemporary;
    const count = (serverErrors.get(id) ?? 0) + 1;
    serverErrors.set(id, count);
    return count >= SERVER_ERRORS_MAX;
  }

  return async (mutation) => {
    const id = isChange(mutation) ? `${mutation.key} ${mutation.order}` : mutation.clientId;
    try {
      await send(mutation);
    } catch (cause) {
      if (signal.aborted) return 'next';
      const error =
        cause instanceof ApiError ? cause : new ApiError('internal', 500, String(cause));
      platform.logFailure(describe(mutation), cause);
      const isRefused = isRefusal(id, error) && !(error.isTemporary && isPatient?.(mutation));
      // A newer server may not understand what an older tab sends. It is sent again after the reload.
      const isKept = isRefused ? !(await isVersionSupported()) : !shouldGiveUp(mutation, error);
      if (signal.aborted) return 'next';
      if (isKept) {
        onFailed(mutation, error);
        return { retryAfter: Math.min(error.retryAfter ?? 0, RETRY_AFTER_MAX_SECONDS) * 1_000 };
      }
      await onRefused(mutation, error);
    }
    serverErrors.delete(id);
    return 'next';
  };
}

/**
 * Returns whether a user who waits for the outcome is told of a failure at once, instead of a retry: unless
 * the connection is lost, or the session has ended.
 */
export function isFailureFinal(
  { platform, stores }: Pick<OutboxContext, 'platform' | 'stores'>,
  { code }: ApiError,
): boolean {
  const hasConnection = platform.isOnline() && mayReachServer(stores.connection.getState());
  return hasConnection && code !== 'unauthenticated';
}

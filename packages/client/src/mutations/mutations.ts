import type { ApiError } from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import { createStorageWait } from '../outbox/lane-runner.ts';
import { createRetryPolicy, requestedWait, toSendError } from '../outbox/retry-policy.ts';
import type { Platform } from '../platform.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { withRerun } from '../with-rerun.ts';
import type { Mutation, MutationsStore } from './mutations-store.ts';

/** A sender of the mutations of one kind. */
export interface MutationSender {
  /**
   * Sends a mutation, and applies the response to the stores before it resolves. May be called again for a
   * mutation that the server has already carried out. Rejects with an `ApiError`.
   */
  readonly send: (mutation: Mutation) => Promise<void>;
  /** Called when the server refuses a mutation, which is then discarded. */
  readonly onRefused: (mutation: Mutation, error: ApiError) => void;
}

/** Sends mutations in order, one at a time, whenever the server can be reached. */
export interface Mutations {
  /** Sends waiting mutations now instead of after the backoff. */
  readonly flush: () => void;
}

interface MutationsDeps {
  mutations: MutationsStore;
  platform: Pick<Platform, 'locks' | 'logFailure'>;
  /** The senders by kind. Mutations of other kinds stay, for another version of the app. */
  senders: Readonly<Record<string, MutationSender>>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  /**
   * Confirms that the session still belongs to the user. Rejects if that cannot be confirmed now.
   */
  confirmUser: () => Promise<void>;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'>;
}

/** Name of the lock that a tab holds while it sends, also of tabs with an earlier version. */
const LOCK = 'parley.intents';

/** Starts to send mutations: new ones immediately, the others after the next `flush`. */
export function createMutations(deps: MutationsDeps): Mutations {
  const { mutations, platform, senders, signal, confirmUser, timing = DEFAULT_TIMING } = deps;
  const { store } = mutations;
  const waitFor = createStorageWait(mutations.loaded);
  const backoff = createBackoff(timing.sendRetryMin, timing.sendRetryMax);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retryPolicy = createRetryPolicy();

  const findSender = ({ key }: Mutation): MutationSender | undefined => {
    const kind = key.slice(0, key.indexOf(':'));
    return Object.hasOwn(senders, kind) ? senders[kind] : undefined;
  };
  const findNext = (): Mutation | undefined =>
    store.getState().mutations.find((mutation) => findSender(mutation) !== undefined);

  /** Sends all mutations. Resolves early after a temporary failure. */
  async function sendAll(): Promise<void> {
    for (let next = findNext(); next && !signal.aborted; next = findNext()) {
      // Another tab may have sent or replaced the mutation before this one acquired the lock.
      await waitFor(mutations.refresh(next.key));
      const mutation = findNext();
      if (signal.aborted || mutation?.order !== next.order) continue;
      if (!(await trySend(mutation))) return;
    }
  }

  /** Sends a mutation. Resolves to whether the next one can be sent. */
  async function trySend(mutation: Mutation): Promise<boolean> {
    try {
      await confirmUser();
      await findSender(mutation)?.send(mutation);
    } catch (cause) {
      return !signal.aborted && handleFailure(mutation, toSendError(cause), cause);
    }
    backoff.reset();
    retryPolicy.forget(idOf(mutation));
    if (!signal.aborted) store.getState().settle(mutation);
    return true;
  }

  function handleFailure(mutation: Mutation, error: ApiError, cause: unknown): boolean {
    // The user is signed out. The mutation stays in storage until the next login.
    if (error.code === 'unauthenticated') return false;
    if (!retryPolicy.shouldGiveUp(idOf(mutation), error)) {
      retryAfter(Math.max(requestedWait(error), backoff.next()));
      return false;
    }
    retryPolicy.forget(idOf(mutation));
    platform.logFailure('sending a change', cause);
    store.getState().settle(mutation);
    findSender(mutation)?.onRefused(mutation, error);
    return true;
  }

  function retryAfter(ms: number): void {
    if (signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      run();
    }, ms);
  }

  const run = withRerun(async () => {
    if (signal.aborted || !findNext()) return;
    try {
      await platform.locks.run(LOCK, sendAll);
    } catch (error) {
      platform.logFailure('getting the lock of the mutations', error);
      retryAfter(backoff.next());
    }
  });

  const unsubscribe = store.subscribe(({ mutations: now }, { mutations: before }) => {
    // Reading the storage replaces mutations by equal ones.
    const isNew = now.some(
      ({ key, order }) => !before.some((each) => each.key === key && each.order === order),
    );
    // While a retry is scheduled, the server cannot be reached.
    if (isNew && timer === undefined) run();
  });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    unsubscribe();
  });

  return {
    flush: () => {
      if (signal.aborted) return;
      clearTimeout(timer);
      timer = undefined;
      run();
    },
  };
}

/** Returns an id that differs from that of an earlier mutation for the same value. */
function idOf({ key, order }: Mutation): string {
  return `${key} ${order}`;
}

import type { ApiError } from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import { createStorageWait } from '../outbox/lane-runner.ts';
import { toSendError } from '../outbox/retry-policy.ts';
import type { Platform } from '../platform.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { withRerun } from '../with-rerun.ts';
import type { Intent, IntentsStore } from './intents-store.ts';

/** A sender of the intents of one kind. */
export interface IntentSender {
  /**
   * Sends an intent, and applies the response to the stores before it resolves. May be called again for an
   * intent that the server has already carried out. Rejects with an `ApiError`.
   */
  readonly send: (intent: Intent) => Promise<void>;
  /** Called when the server refuses an intent, which is then discarded. */
  readonly onRefused: (intent: Intent, error: ApiError) => void;
}

/** Sends intents in order, one at a time, whenever the server can be reached. */
export interface Intents {
  /** Sends waiting intents now instead of after the backoff. */
  readonly flush: () => void;
}

interface IntentsDeps {
  intents: IntentsStore;
  platform: Pick<Platform, 'locks' | 'logFailure'>;
  /** The senders by kind. Intents of other kinds stay, for another version of the app. */
  senders: Readonly<Record<string, IntentSender>>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  /**
   * Confirms that the session still belongs to the user. Rejects if that cannot be confirmed now.
   */
  confirmUser: () => Promise<void>;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'>;
}

/** Name of the lock that a tab holds while it sends. */
const LOCK = 'parley.intents';

/** Consecutive internal server errors after which an intent counts as refused. */
const SERVER_ERRORS_MAX = 3;

/** Longest wait that a server or a proxy can request, in milliseconds. */
const RETRY_AFTER_MAX_MS = 60 * 60 * 1_000;

/** Starts to send intents: new ones immediately, the others after the next `flush`. */
export function createIntents(deps: IntentsDeps): Intents {
  const { intents, platform, senders, signal, confirmUser, timing = DEFAULT_TIMING } = deps;
  const { store } = intents;
  const waitFor = createStorageWait(intents.loaded);
  const backoff = createBackoff(timing.sendRetryMin, timing.sendRetryMax);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The intent that failed last, and how often the server failed to carry it out. */
  let failed = { order: 0, count: 0 };

  const findSender = ({ key }: Intent): IntentSender | undefined => {
    const kind = key.slice(0, key.indexOf(':'));
    return Object.hasOwn(senders, kind) ? senders[kind] : undefined;
  };
  const findNext = (): Intent | undefined =>
    store.getState().intents.find((intent) => findSender(intent) !== undefined);

  /** Sends all intents. Resolves early after a temporary failure. */
  async function sendAll(): Promise<void> {
    for (let next = findNext(); next && !signal.aborted; next = findNext()) {
      // Another tab may have sent or replaced the intent before this one acquired the lock.
      await waitFor(intents.refresh(next.key));
      const intent = findNext();
      if (signal.aborted || intent?.order !== next.order) continue;
      if (!(await trySend(intent))) return;
    }
  }

  /** Sends an intent. Resolves to whether the next one can be sent. */
  async function trySend(intent: Intent): Promise<boolean> {
    try {
      await confirmUser();
      await findSender(intent)?.send(intent);
    } catch (cause) {
      return !signal.aborted && handleFailure(intent, toSendError(cause), cause);
    }
    backoff.reset();
    if (!signal.aborted) store.getState().settle(intent);
    return true;
  }

  function handleFailure(intent: Intent, error: ApiError, cause: unknown): boolean {
    // The user is signed out. The intent stays in storage until the next login.
    if (error.code === 'unauthenticated') return false;
    const isFault = error.code === 'internal';
    if (isFault) {
      const count = failed.order === intent.order ? failed.count + 1 : 1;
      failed = { order: intent.order, count };
    }
    if (error.isTemporary && !(isFault && failed.count >= SERVER_ERRORS_MAX)) {
      const requested = Math.min((error.retryAfter ?? 0) * 1_000, RETRY_AFTER_MAX_MS);
      retryAfter(Math.max(requested, backoff.next()));
      return false;
    }
    platform.logFailure('sending a change', cause);
    store.getState().settle(intent);
    findSender(intent)?.onRefused(intent, error);
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
      platform.logFailure('getting the lock of the intents', error);
      retryAfter(backoff.next());
    }
  });

  const unsubscribe = store.subscribe(({ intents: now }, { intents: before }) => {
    // Reading the storage replaces intents by equal ones.
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

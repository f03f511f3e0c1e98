import type { Message } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError, type ApiClient } from './api/client.ts';
import { sendMessage } from './api/messages.ts';
import type { Platform } from './platform.ts';
import { nextToSend, type OutboxEntry } from './stores/outbox-queue.ts';
import type { OutboxState } from './stores/outbox.ts';

/** Sends what is in the outbox: each room's messages in order, one at a time, each exactly once. */
export interface OutboxSender {
  /** Sends what waits, now. */
  flush: () => void;
  stop: () => void;
}

interface OutboxSenderDeps {
  api: ApiClient;
  outbox: StoreApi<OutboxState>;
  platform: Pick<Platform, 'locks' | 'logFailure'>;
  /** Makes sure that what goes out goes out in the sender's name. Rejects if it cannot be told now. */
  confirm: () => Promise<void>;
  /** Told of each message that the server took; it is out of the outbox by then. */
  onSent: (message: Message) => void;
  /** Told of each message that the server refused for good. */
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Errors inside the server, in a row, after which a message counts as refused. */
const SERVER_ERRORS_MAX = 3;

/** Creates a sender that sends nothing before the first `flush`. One tab sends at a time. */
export function createOutboxSender(deps: OutboxSenderDeps): OutboxSender {
  const { api, outbox, platform, confirm, onSent, onRefused } = deps;
  let isRunning = false;
  let isWanted = false;
  const stopping = new AbortController();
  let retryMs = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const serverErrors = new Map<string, number>();

  /** Resolves to whether the room's next message may follow at once; otherwise how long to wait, in milliseconds. */
  async function sendOne(entry: OutboxEntry): Promise<true | number> {
    const { setState, remove } = outbox.getState();
    const { clientId, chatroom, content } = entry;
    setState(clientId, 'sending');
    try {
      const message = await sendMessage(api, { chatroom, content, clientId });
      if (stopping.signal.aborted) return true;
      onSent(message);
      remove(clientId);
      serverErrors.delete(clientId);
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return true;
      return afterFailure(entry, error);
    }
  }

  function afterFailure(entry: OutboxEntry, error: unknown): true | number {
    const { setState } = outbox.getState();
    const apiError =
      error instanceof ApiError ? error : new ApiError('internal', 500, String(error));
    platform.logFailure('sending a message', error);
    const failures = (serverErrors.get(entry.clientId) ?? 0) + 1;
    if (apiError.code === 'internal') serverErrors.set(entry.clientId, failures);
    const isOver =
      apiError.code === 'internal' ? failures >= SERVER_ERRORS_MAX : !apiError.isTemporary;
    // Signed out: the message waits in storage for the next sign-in.
    if (isOver && apiError.code !== 'unauthenticated') {
      serverErrors.delete(entry.clientId);
      setState(entry.clientId, 'failed');
      onRefused(entry, apiError);
      return true;
    }
    setState(entry.clientId, 'waiting');
    return Math.max((apiError.retryAfter ?? 0) * 1_000, retryMs);
  }

  async function sendAll(): Promise<void> {
    outbox.getState().refresh();
    while (!stopping.signal.aborted) {
      const heads = nextToSend(outbox.getState().entries);
      if (heads.length === 0) {
        retryMs = FIRST_RETRY_MS;
        return;
      }
      if (!(await isConfirmed())) {
        retryLater(retryMs);
        return;
      }
      const outcomes = await Promise.all(heads.map(sendOne));
      const waits = outcomes.filter((outcome) => outcome !== true);
      if (waits.length > 0) {
        retryLater(Math.max(...waits));
        return;
      }
    }
  }

  async function isConfirmed(): Promise<boolean> {
    try {
      await confirm();
      return true;
    } catch {
      return false;
    }
  }

  function retryLater(ms: number): void {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(flush, ms);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      await platform.locks.run('parley.outbox', sendAll);
    }
    isRunning = false;
  }

  function flush(): void {
    clearTimeout(timer);
    isWanted = true;
    if (!isRunning && !stopping.signal.aborted) void run();
  }

  return {
    flush,
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}

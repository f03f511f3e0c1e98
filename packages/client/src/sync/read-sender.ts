import type { ChangedChat } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';

/** A sender of read positions. It retries until the server confirms them. */
export interface ReadSender {
  /** Sends the read position of a chatroom. Resolves after the first attempt. */
  send: (chatroomId: string, seq: number) => Promise<void>;
  /** Sends a read position that may be unconfirmed, as of before a reload, unless it is on its way. */
  ensure: (chatroomId: string, seq: number) => void;
  /** Sends unconfirmed read positions now. Resolves after one attempt. */
  flush: () => Promise<void>;
  /** Discards the unconfirmed position of a chatroom. */
  discard: (chatroomId: string) => void;
  stop: () => void;
}

interface ReadSenderDeps {
  api: ApiClient;
  /** Called when the server confirmed a read position. */
  onConfirmed: (response: ChangedChat) => void;
  /** Called on failure. The request is retried only if `isTemporary`. */
  onFailed: (chatroomId: string, error: unknown, isTemporary: boolean) => void;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'>;
}

/** Creates a sender without unconfirmed positions. */
export function createReadSender(deps: ReadSenderDeps): ReadSender {
  const { api, onConfirmed, onFailed, timing = DEFAULT_TIMING } = deps;
  const unconfirmed = new Map<string, number>();
  let isStopped = false;
  const backoff = createBackoff(timing.sendRetryMin, timing.sendRetryMax);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function attempt(chatroomId: string, isFirst: boolean): Promise<void> {
    const seq = unconfirmed.get(chatroomId);
    if (seq === undefined || isStopped) return;
    try {
      const response = await api.call('markAsRead', { params: { id: chatroomId }, body: { seq } });
      if (isStopped) return;
      forget(chatroomId, seq);
      backoff.reset();
      onConfirmed(response);
    } catch (error) {
      if (isStopped) return;
      const isTemporary = error instanceof ApiError && error.isTemporary;
      if (isTemporary) retryLater();
      else forget(chatroomId, seq);
      if (isFirst || !isTemporary) onFailed(chatroomId, error, isTemporary);
    }
  }

  function forget(chatroomId: string, seq: number): void {
    if (unconfirmed.get(chatroomId) === seq) unconfirmed.delete(chatroomId);
  }

  function retryLater(): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => void flush(), backoff.next());
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await Promise.all([...unconfirmed.keys()].map((chatroomId) => attempt(chatroomId, false)));
  }

  return {
    send: (chatroomId, seq) => {
      unconfirmed.set(chatroomId, Math.max(seq, unconfirmed.get(chatroomId) ?? 0));
      return attempt(chatroomId, true);
    },
    ensure: (chatroomId, seq) => {
      if ((unconfirmed.get(chatroomId) ?? 0) >= seq) return;
      unconfirmed.set(chatroomId, seq);
      void attempt(chatroomId, false);
    },
    flush,
    discard: (chatroomId) => void unconfirmed.delete(chatroomId),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

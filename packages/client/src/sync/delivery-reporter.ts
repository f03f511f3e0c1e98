import { LIMITS } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import type { ClientTiming } from '../timing.ts';

/** Reports to the server which messages have reached this device. */
export interface DeliveryReporter {
  /** Reports soon that messages up to a `seq` have arrived. */
  report: (chatroomId: string, seq: number) => void;
  /** Reports again what could not be reported. */
  flush: () => void;
  stop: () => void;
}

interface DeliveryReporterDeps {
  api: ApiClient;
  /** Returns up to which `seq` the user has read a chatroom here, which the server learns anyway. */
  getReadSeq: (chatroomId: string) => number;
  timing: Pick<ClientTiming, 'deliveryGather'>;
}

/** Creates a reporter. */
export function createDeliveryReporter(deps: DeliveryReporterDeps): DeliveryReporter {
  const { api, getReadSeq, timing } = deps;
  const waiting = new Map<string, number>();
  const reported = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function flushSoon(): void {
    if (isStopped || waiting.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void send();
    }, timing.deliveryGather);
  }

  async function send(): Promise<void> {
    const batch = [...waiting].slice(0, LIMITS.changesChatroomsMax);
    for (const [chatroomId] of batch) waiting.delete(chatroomId);
    const unread = batch.filter(([chatroomId, seq]) => seq > getReadSeq(chatroomId));
    if (unread.length > 0) {
      try {
        await api.call('reportDelivered', { body: { rooms: Object.fromEntries(unread) } });
      } catch (error) {
        // Others are reported after the next reconnect. Older servers do not know the endpoint.
        if (!(error instanceof ApiError) || !error.isTemporary) return;
        for (const [chatroomId, seq] of unread) {
          waiting.set(chatroomId, Math.max(seq, waiting.get(chatroomId) ?? 0));
        }
        return;
      }
    }
    for (const [chatroomId, seq] of batch) {
      reported.set(chatroomId, Math.max(seq, reported.get(chatroomId) ?? 0));
    }
    flushSoon();
  }

  return {
    report: (chatroomId, seq) => {
      const known = Math.max(reported.get(chatroomId) ?? 0, waiting.get(chatroomId) ?? 0);
      if (seq <= known) return;
      waiting.set(chatroomId, seq);
      flushSoon();
    },
    flush: flushSoon,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

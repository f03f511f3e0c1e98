import { LIMITS } from '@parley/contract';
import { ApiError } from '../api/client.ts';
import type { ClientCore } from '../client-core.ts';
import { isHiddenByDecision } from '../outbox/changes/change-types.ts';
import { runLater } from '../run-later.ts';
import { isUnaccepted } from '../stores/chat-list.ts';
import { findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import type { ClientTiming } from '../timing.ts';

/** Reports to the server which messages have reached this device. */
export interface DeliveryReporter {
  /** Reports soon that messages up to a `seq` have arrived, unless the user hides the chat. */
  report: (chatroomId: string, seq: number) => void;
  /** Reports again what could not be reported. */
  flush: () => void;
}

interface DeliveryReporterDeps extends Pick<ClientCore, 'api' | 'stores' | 'signal'> {
  timing: Pick<ClientTiming, 'deliveryGather'>;
}

/** Creates a reporter, which also reports what a new chat list contains. */
export function createDeliveryReporter(deps: DeliveryReporterDeps): DeliveryReporter {
  const { api, stores, signal, timing } = deps;
  const waiting = new Map<string, number>();
  const reported = new Map<string, number>();
  let isScheduled = false;

  function report(chatroomId: string, seq: number): void {
    const known = Math.max(reported.get(chatroomId) ?? 0, waiting.get(chatroomId) ?? 0);
    const { changes } = stores.outbox.getState();
    if (seq <= known || isHiddenByDecision(changes, chatroomId)) return;
    waiting.set(chatroomId, seq);
    flushSoon();
  }

  function flushSoon(): void {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    runLater(signal, timing.deliveryGather, () => {
      isScheduled = false;
      void send();
    });
  }

  async function send(): Promise<void> {
    const batch = [...waiting].slice(0, LIMITS.changesChatroomsMax);
    for (const [chatroomId] of batch) waiting.delete(chatroomId);
    const rooms = stores.shown.rooms.getState();
    // The server learns anyway what the user has read.
    const unread = batch.filter(([id, seq]) => seq > (findLoadedChatroom(rooms, id)?.readSeq ?? 0));
    try {
      const body = { rooms: Object.fromEntries(unread) };
      if (unread.length > 0) await api.call('reportDelivered', { body });
    } catch (error) {
      // Others are reported after the next reconnect. Older servers do not know the endpoint.
      if (error instanceof ApiError && error.isTemporary) raise(waiting, unread);
      return;
    }
    raise(reported, batch);
    flushSoon();
  }

  stores.chats.subscribe(({ chats, isFromCopy }, before) => {
    if (isFromCopy || chats === before.chats) return;
    for (const chat of chats) {
      // Unread messages may be older than a reply of the user, which accepts the chat.
      if (chat.last && chat.unread > 0 && !isUnaccepted(chat)) report(chat.id, chat.last.seq);
    }
  });

  return { report, flush: flushSoon };
}

/** Raises the `seq` of chatrooms to those of a batch. */
function raise(seqs: Map<string, number>, batch: readonly (readonly [string, number])[]): void {
  for (const [id, seq] of batch) seqs.set(id, Math.max(seq, seqs.get(id) ?? 0));
}

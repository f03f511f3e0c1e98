import type { Message } from '@parley/contract';
import type { ApiClient, ApiError } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import { createRetryPolicy, toSendError } from './retry-policy.ts';
import type { SendOutcome } from './lane-runner.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';

interface MessageSenderDeps {
  api: ApiClient;
  outbox: OutboxStore;
  platform: Pick<Platform, 'logFailure'>;
  /** Returns whether the connection seems available. Failures are then reported immediately. */
  hasConnection: () => boolean;
  signal: AbortSignal;
  /** Called when the server has stored a message, before it is removed from the outbox. */
  onSent: (message: Message) => void;
  /** Called when an entry is no longer retried. */
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
}

/**
 * Creates a function that sends an entry: to its chatroom, or as the first message that creates it.
 */
export function createMessageSender(
  deps: MessageSenderDeps,
): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, outbox, platform, hasConnection, signal, onSent, onRefused } = deps;
  const retryPolicy = createRetryPolicy();

  async function post({ clientId, to, content }: OutboxEntry): Promise<string> {
    if (to.chatroomId === undefined) {
      const { partnerName } = to;
      const { chatroomId } = await api.call('createChatroom', {
        body: { partnerName, content, clientId },
      });
      return chatroomId;
    }
    const message = await api.call('sendMessage', {
      body: { chatroom: to.chatroomId, content, clientId },
    });
    if (!signal.aborted) onSent(message);
    return to.chatroomId;
  }

  return async (entry) => {
    const { clientId, to } = entry;
    const { change, confirm, remove } = outbox.store.getState();
    change([clientId], { state: 'sending' });
    try {
      const chatroomId = await post(entry);
      if (signal.aborted) return 'next';
      confirm(clientId, chatroomId);
      retryPolicy.forget(clientId);
      return 'next';
    } catch (cause) {
      if (signal.aborted) return 'next';
      const error = toSendError(cause);
      const isFirst = to.partnerName !== undefined;
      // The message had arrived, its response was lost, and it was deleted since.
      if (error.code === 'message_not_found') {
        remove([clientId]);
        return 'next';
      }
      platform.logFailure(isFirst ? 'creating a chatroom' : 'sending a message', cause);
      // Reports the failure immediately to a user who is waiting for a new chatroom, unless the
      // connection is lost.
      const shouldReport = isFirst && hasConnection() && error.code !== 'unauthenticated';
      if (retryPolicy.shouldGiveUp(entry, error) || shouldReport) {
        retryPolicy.forget(clientId);
        change([clientId], { state: isFirst ? 'draft' : 'failed' });
        onRefused(entry, error);
        return 'next';
      }
      change([clientId], { state: 'waiting' });
      return { retryAfter: (error.retryAfter ?? 0) * 1_000 };
    }
  };
}

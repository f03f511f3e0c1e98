import type { Message } from '@parley/contract';
import { createChatroom } from '../api/chatrooms.ts';
import type { ApiClient, ApiError } from '../api/client.ts';
import { sendMessage } from '../api/messages.ts';
import type { Platform } from '../platform.ts';
import { createRetryPolicy, toSendError } from './retry-policy.ts';
import type { SendOutcome } from './lane-runner.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';

interface MessageSenderDeps {
  api: ApiClient;
  outbox: OutboxStore;
  platform: Pick<Platform, 'logFailure'>;
  /** Whether there seems to be a connection, so that a failure is worth telling at once. */
  hasConnection: () => boolean;
  signal: AbortSignal;
  /** The server took a message; it is still in the outbox. */
  onSent: (message: Message) => void;
  /** An entry will not be sent again by itself. */
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
}

/** Returns how messages go out: into their chatrooms, or as the first ones that create them. */
export function createMessageSender(
  deps: MessageSenderDeps,
): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, outbox, platform, hasConnection, signal, onSent, onRefused } = deps;
  const retryPolicy = createRetryPolicy();

  async function post({ clientId, to, content }: OutboxEntry): Promise<string> {
    if (to.chatroomId === undefined) {
      const { partnerName } = to;
      const { chatroomId } = await createChatroom(api, { partnerName, content, clientId });
      return chatroomId;
    }
    const message = await sendMessage(api, { chatroom: to.chatroomId, content, clientId });
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
      // It had arrived, its response was lost, and it was deleted since.
      if (error.code === 'message_not_found') {
        remove([clientId]);
        return 'next';
      }
      platform.logFailure(isFirst ? 'creating a chatroom' : 'sending a message', cause);
      // Who waits for a new chatroom is told at once, unless the connection is gone anyway.
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

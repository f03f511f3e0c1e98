import type { ServerEvents, SessionEndReason } from '@parley/contract';
import type { DomainEvent, EventBus } from '../domain-events.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Connections } from './connections.ts';
import { encodeEvent } from './packets.ts';
import { createRenewal } from './renewal.ts';

type MessageSent = Extract<DomainEvent, { type: 'message-sent' }>;

/**
 * Sends domain events to the connections of the affected users, in commit order.
 * Returns a function that stops it.
 */
export function startFanOut(
  events: EventBus,
  connections: Connections,
  metrics?: Pick<Metrics, 'recordDelivery'>,
): () => void {
  const renewal = createRenewal(connections);

  /** Sends an event, encoded at most once. Returns the number of connections that received it. */
  function send<Name extends keyof ServerEvents>(
    userIds: readonly string[],
    name: Name,
    ...payload: Parameters<ServerEvents[Name]>
  ): number {
    let packet: Buffer | undefined;
    let sent = 0;
    for (const userId of userIds) {
      for (const connection of connections.listByUser(userId)) {
        packet ??= encodeEvent(name, ...payload);
        connection.sendEvent(packet);
        sent += 1;
      }
    }
    return sent;
  }

  function sendNewMessage({ message, members, unaccepted, quietSenderId }: MessageSent): void {
    const others = members.filter((id) => id !== unaccepted?.userId && id !== quietSenderId);
    let sent = send(others, 'message', message);
    if (quietSenderId !== undefined) {
      sent += send([quietSenderId], 'message', { ...message, isSentAsRequest: true });
    }
    if (unaccepted !== undefined) {
      const { userId, isQuiet } = unaccepted;
      const status = isQuiet ? { isRequest: true } : { isUndecided: true };
      sent += send([userId], 'message', { ...message, ...status });
    }
    metrics?.recordDelivery(sent, (Date.now() - Date.parse(message.createdAt)) / 1000);
  }

  function endSessions(sessionIds: readonly string[], reason: SessionEndReason): void {
    for (const connection of sessionIds.flatMap((id) => connections.listBySession(id))) {
      connection.sendEvent(encodeEvent('session-ended', { reason }));
      connection.disconnect('sessionEnded');
    }
  }

  function handleEvent(event: DomainEvent): void {
    switch (event.type) {
      case 'message-sent':
        return sendNewMessage(event);
      case 'message-edited':
      case 'message-reacted':
        return void send(event.members, 'message-update', { updatedMessage: event.message });
      case 'message-deleted':
        return void send(event.members, 'message-delete', { deletedMessage: event.deleted });
      case 'reaction-received': {
        const { userId, chatroomId: chatroom, rev, reaction, isOn } = event;
        return void send([userId], 'reaction', { chatroom, rev, reaction, isOn });
      }
      case 'chatroom-read': {
        const { userId, chatroomId, readSeq, unread, rev } = event;
        return void send([userId], 'chat-read', {
          chatroom: chatroomId,
          readSeq,
          unreadMessagesCount: unread,
          rev,
        });
      }
      case 'receipt-changed': {
        const { userId, chatroomId: chatroom, deliveredSeq, readSeq } = event;
        return void send([userId], 'chat-receipt', { chatroom, deliveredSeq, readSeq });
      }
      case 'typing':
        return void send([event.userId], 'typing', { chatroom: event.chatroomId });
      case 'partner-deleted':
        return void send(event.members, 'partner-deleted', { chatroom: event.chatroomId });
      case 'chat-accepted':
        return void send([event.userId], 'chat-accepted', { chatroom: event.chatroomId });
      case 'chat-status':
        return void send([event.userId], 'chat-status', {
          chatroom: event.chatroomId,
          status: event.status,
        });
      case 'chat-settings':
        return void send([event.userId], 'chat-settings', {
          chatroom: event.chatroomId,
          settings: event.settings,
        });
      case 'notification-settings':
        return void send([event.userId], 'notification-settings', { settings: event.settings });
      case 'settings-changed':
        return void send([event.userId], 'settings', event.settings);
      case 'sessions-ended':
        return endSessions(event.sessionIds, event.reason);
      // Clients resync after they have reconnected.
      case 'events-missed':
        return renewal.start();
    }
  }

  const unsubscribe = events.subscribe(handleEvent);
  return () => {
    unsubscribe();
    renewal.stop();
  };
}

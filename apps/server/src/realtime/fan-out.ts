import type { ServerEvents, SessionEndReason } from '@parley/contract';
import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import { toChatState, toMessage } from '../messages/message.wire.ts';
import type { Connections } from './connections.ts';
import { encodeEvent } from './packets.ts';
import { createRenewal } from './renewal.ts';

type MessageSent = Extract<DomainEvent, { type: 'message-sent' }>;

/** Milliseconds for which events are sent in one turn of the event loop. */
const SLICE = 5;

/**
 * Sends domain events to the connections of the affected users, in commit order. Requests that caused them
 * are answered first: otherwise their duration would tell how many connections a partner has.
 * Returns a function that sends what waits, and stops.
 */
export function startFanOut(
  { config, events, metrics, log }: Pick<Context, 'config' | 'events' | 'metrics' | 'log'>,
  connections: Connections,
): () => void {
  const renewal = createRenewal(connections);

  /** Sends an event, encoded at most once. Returns the number of connections that received it. */
  function send<Name extends keyof ServerEvents>(
    userIds: readonly string[],
    name: Name,
    payload: ServerEvents[Name],
  ): number {
    let frame: Buffer | undefined;
    let sent = 0;
    for (const userId of userIds) {
      for (const connection of connections.listByUser(userId)) {
        frame ??= encodeEvent(name, payload);
        connection.sendEvent(frame);
        sent += 1;
      }
    }
    return sent;
  }

  function sendNewMessage(event: MessageSent): void {
    const { members, unaccepted, quietSenderId } = event;
    const message = toMessage(config, event.message);
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
    metrics.recordDelivery(sent, (Date.now() - Date.parse(message.createdAt)) / 1000);
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
        return void send(event.members, 'message-update', {
          updatedMessage: toMessage(config, event.message),
        });
      case 'message-deleted':
        return void send(event.members, 'message-delete', { deletedMessage: event.deleted });
      case 'reaction-received': {
        const { userId, chatroomId: chatroom, rev, reaction, isOn } = event;
        return void send([userId], 'reaction', { chatroom, rev, reaction, isOn });
      }
      case 'chat-changed':
        return void send([event.userId], 'chat', toChatState(config, event.chat));
      case 'typing':
        return void send([event.userId], 'typing', { chatroom: event.chatroomId });
      case 'notification-settings':
        return void send([event.userId], 'notification-settings', { settings: event.settings });
      case 'settings-changed':
        return void send([event.userId], 'settings', event.settings);
      case 'email-changed':
        return void send([event.userId], 'email', event.emails);
      case 'sessions-ended':
        return endSessions(event.sessionIds, event.reason);
      // Clients resync after they have reconnected.
      case 'events-missed':
        return renewal.start();
    }
  }

  let waiting: DomainEvent[] = [];

  /** Sends waiting events, at most for `duration` milliseconds. */
  function sendWaiting(duration: number): void {
    const startedAt = performance.now();
    let sent = 0;
    for (const event of waiting) {
      if (sent > 0 && performance.now() - startedAt > duration) break;
      sent += 1;
      try {
        handleEvent(event);
      } catch (error) {
        log.error({ err: error, event: event.type }, 'could not send an event');
      }
    }
    waiting = waiting.slice(sent);
    if (waiting.length > 0) setImmediate(sendWaiting, SLICE);
  }

  const unsubscribe = events.subscribe((event) => {
    if (waiting.length === 0) setImmediate(sendWaiting, SLICE);
    waiting.push(event);
  });
  return () => {
    unsubscribe();
    sendWaiting(Infinity);
    renewal.stop();
  };
}

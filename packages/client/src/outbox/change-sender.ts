import type { ApiError } from '../api/client.ts';
import type { Chat } from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import { createAttempts, type SendOutcome } from './attempts.ts';
import type { Change } from './changes/change.ts';
import {
  decisionOf,
  recognizeChange,
  typeOfChange,
  type ChangeTypeName,
} from './changes/change-types.ts';
import { refetchIfListed, type OutboxContext } from './outbox-context.ts';

/** Creates a function that sends a change. */
export function createChangeSender(
  context: OutboxContext,
): (change: Change) => Promise<SendOutcome> {
  const { stores, events } = context;
  const { outbox } = stores;
  /** Changes of which the app was told. */
  const reported = new WeakSet<Change>();
  /** Refused deletions of which the app is not told yet, as others that the user may have made with them wait. */
  let refusedDeletions: ApiError[] = [];
  /** The chats of the changes as they were known when the changes were sent. */
  const chatsBefore = new WeakMap<Change, Chat | undefined>();

  function report(change: Change, error: ApiError): void {
    const type = typeOfChange(change);
    if (!type || reported.has(change) || isExpected(type, error)) return;
    reported.add(change);
    if (type === 'deletion') refusedDeletions.push(error);
    else events.onChangeFailed?.(error, type, 1);
  }

  function settle(change: Change): void {
    outbox.getState().settleChange(change);
    const [error] = refusedDeletions;
    if (!error || outbox.getState().changes.some(isWaitingDeletion)) return;
    const { length: count } = refusedDeletions;
    refusedDeletions = [];
    events.onChangeFailed?.(error, 'deletion', count);
  }

  /** Marks the messages of a chatroom that wait as failed, so that the user decides about them. */
  function failWaiting(chatroomId: string): void {
    const { entries, change } = outbox.getState();
    const waiting = entries.filter(
      ({ to, state, file }) => to.chatroomId === chatroomId && state === 'waiting' && !file,
    );
    const ids = waiting.map(({ clientId }) => clientId);
    change(ids, { state: 'failed' });
  }

  return createAttempts<Change>(context, {
    describe: (change) => recognizeChange(change)?.what ?? '',
    send: async (change) => {
      chatsBefore.set(change, findChat(stores.chats.getState(), change.chatroomId));
      await recognizeChange(change)?.send(context, change.chatroomId, change.value);
      settle(change);
    },
    // A full server must not keep a change from being given back to the user.
    shouldGiveUp: (_change, { code }) => code === 'storage_full',
    isPatient: (change) => recognizeChange(change)?.isPatient === true,
    onFailed: (change, error) => {
      if (typeOfChange(change) === 'read') report(change, error);
    },
    onRefused: async (change, error) => {
      const { chatroomId, value } = change;
      await recognizeChange(change)?.onRefused?.(context, chatroomId, value);
      // Messages to a partner who could not be unblocked would be discarded.
      if (decisionOf(change) === 'unblock') failWaiting(chatroomId);
      // Another device may have changed it, which its live event tells as well.
      if (typeOfChange(change) === 'status') context.refetchChat(chatroomId);
      else if (error.code === 'room_not_found') {
        refetchIfListed(context, chatroomId, chatsBefore.get(change));
      }
      report(change, error);
      settle(change);
    },
  });
}

function isWaitingDeletion(change: Change): boolean {
  return typeOfChange(change) === 'deletion' && !change.isSettled;
}

/** Returns whether a failure changes nothing for the user. */
function isExpected(type: ChangeTypeName, { code, isIntercepted }: ApiError): boolean {
  // The message or the chat was deleted in the meantime, or the chat was declined on another device.
  const isGone = code === 'message_not_found' || code === 'room_not_found';
  if (type !== 'read') return isGone && type !== 'edit';
  // It is sent again once the server can be reached. Captive portals send refusals.
  return isGone || code === 'offline' || isIntercepted;
}

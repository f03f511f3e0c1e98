import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DomainEvent } from '../../domain-events.ts';
import { createEventSequencer } from './event-sequencer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function deletion(chatroom: string, rev: number): DomainEvent {
  return {
    type: 'message-deleted',
    deleted: { _id: `m${rev}`, chatroom, seq: 1, rev },
    members: [],
  };
}

function chatChange(chatId: string, rev: number, memberRev = 1): DomainEvent {
  return {
    type: 'chat-changed',
    userId: 'u',
    chat: {
      chatId,
      rev,
      memberRev,
      usernames: [],
      isDeletedAccount: false,
      status: 'accepted',
      lastMessage: null,
      currentUserId: 'u',
      timestamps: [],
      activeAt: '',
      unreadMessagesCount: 0,
      readSeq: 0,
    },
  };
}

/** Creates a sequencer and the list of what it has published: `room:rev`, or `chat:room:rev:memberRev`. */
function createRecorded() {
  const published: string[] = [];
  const sequencer = createEventSequencer((event) => published.push(nameOf(event)));
  return { sequencer, published };
}

function nameOf(event: DomainEvent): string {
  if (event.type === 'message-deleted') return `${event.deleted.chatroom}:${event.deleted.rev}`;
  if (event.type !== 'chat-changed') return event.type;
  const { chatId, rev, memberRev } = event.chat;
  return `chat:${chatId}:${rev}:${memberRev}`;
}

test('events of a chatroom that arrive in another order are published by their revisions', () => {
  const { sequencer, published } = createRecorded();
  for (const rev of [1, 4, 3, 2, 5]) sequencer.publish(deletion('a', rev));
  expect(published).toEqual(['a:1', 'a:2', 'a:3', 'a:4', 'a:5']);
  expect(vi.getTimerCount()).toBe(0);
});

test('an event whose predecessor does not arrive is published after a short wait', async () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(deletion('a', 3));
  sequencer.publish(deletion('a', 4));
  sequencer.publish(deletion('b', 9));
  expect(published).toEqual(['a:1', 'b:9']);
  await vi.advanceTimersByTimeAsync(300);
  expect(published).toEqual(['a:1', 'b:9', 'a:3', 'a:4']);
  sequencer.publish(deletion('a', 2));
  sequencer.publish(deletion('a', 5));
  expect(published.slice(4)).toEqual(['a:2', 'a:5']);
});

test('other events do not wait for messages', () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(deletion('a', 3));
  sequencer.publish({ type: 'mail-queued' });
  expect(published).toEqual(['a:1', 'mail-queued']);
});

test('closing publishes what is held', () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(deletion('a', 4));
  sequencer.publish(deletion('a', 3));
  sequencer.close();
  expect(published).toEqual(['a:1', 'a:3', 'a:4']);
  expect(vi.getTimerCount()).toBe(0);
});

test('after missed events, held ones are published and later ones do not wait', () => {
  const { sequencer, published } = createRecorded();
  for (const rev of [1, 3]) sequencer.publish(deletion('a', rev));
  sequencer.publish({ type: 'events-missed' });
  expect(published).toEqual(['a:1', 'a:3', 'events-missed']);
  // A restored or promoted database can have lower revisions.
  for (const rev of [9, 10]) sequencer.publish(deletion('a', rev));
  sequencer.publish({ type: 'events-missed' });
  for (const rev of [2, 4, 3]) sequencer.publish(deletion('a', rev));
  expect(published.slice(3)).toEqual(['a:9', 'a:10', 'events-missed', 'a:2', 'a:3', 'a:4']);
});

test('the state of a chat waits for the message of its revision', () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(chatChange('a', 2));
  sequencer.publish(chatChange('b', 2));
  expect(published).toEqual(['a:1', 'chat:b:2:1']);
  sequencer.publish(deletion('a', 2));
  expect(published.slice(2)).toEqual(['a:2', 'chat:a:2:1']);
  expect(vi.getTimerCount()).toBe(0);
});

test('the state of a chat waits for its message even if that waits for an earlier one itself', () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  // Everything that two writes tell arrives in the opposite order.
  for (const event of [chatChange('a', 3), deletion('a', 3), chatChange('a', 2)]) {
    sequencer.publish(event);
  }
  expect(published).toEqual(['a:1']);
  sequencer.publish(deletion('a', 2));
  expect(published.slice(1)).toEqual(['a:2', 'chat:a:2:1', 'a:3', 'chat:a:3:1']);
  expect(vi.getTimerCount()).toBe(0);
});

test('states of a chat without a new message do not wait, also not messages after them', () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(chatChange('a', 1, 1));
  sequencer.publish(chatChange('a', 1, 2));
  sequencer.publish(deletion('a', 2));
  // One from before that message.
  sequencer.publish(chatChange('a', 1, 3));
  expect(published).toEqual(['a:1', 'chat:a:1:1', 'chat:a:1:2', 'a:2', 'chat:a:1:3']);
});

test('the state of a chat whose message does not arrive is published after a short wait', async () => {
  const { sequencer, published } = createRecorded();
  sequencer.publish(deletion('a', 1));
  sequencer.publish(chatChange('a', 3));
  sequencer.publish(chatChange('a', 3, 2));
  await vi.advanceTimersByTimeAsync(299);
  expect(published).toEqual(['a:1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(published.slice(1)).toEqual(['chat:a:3:1', 'chat:a:3:2']);
  sequencer.publish(deletion('a', 4));
  expect(published.at(-1)).toBe('a:4');
});

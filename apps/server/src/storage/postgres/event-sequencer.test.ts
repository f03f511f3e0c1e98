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

/** Creates a sequencer and the list of what it has published, as `room:rev`. */
function createRecorded() {
  const published: string[] = [];
  const sequencer = createEventSequencer((event) => {
    published.push(
      event.type === 'message-deleted'
        ? `${event.deleted.chatroom}:${event.deleted.rev}`
        : event.type,
    );
  });
  return { sequencer, published };
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

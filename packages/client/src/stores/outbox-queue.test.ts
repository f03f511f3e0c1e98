import { describe, expect, it } from 'vitest';
import {
  nextToSend,
  parseQueue,
  requeued,
  without,
  withState,
  type OutboxEntry,
} from './outbox-queue.ts';

const entry = (
  clientId: string,
  chatroom = 'a',
  state: OutboxEntry['state'] = 'waiting',
): OutboxEntry => ({
  clientId,
  chatroom,
  content: clientId,
  createdAt: '2025-03-20T09:00:00.000Z',
  state,
});
const ids = (entries: readonly OutboxEntry[]): string[] => entries.map(({ clientId }) => clientId);

describe('the outbox', () => {
  it('sends one message a room at a time, in order, past those that were refused', () => {
    const queue = [entry('1', 'a', 'failed'), entry('2'), entry('3'), entry('4', 'b', 'sending')];
    expect(ids(nextToSend(queue))).toEqual(['2', '4']);
    expect(ids(nextToSend(without(queue, '2')))).toEqual(['3', '4']);
  });

  it('puts a refused message at the end when it is tried again', () => {
    const queue = [entry('1', 'a', 'failed'), entry('2')];
    expect(requeued(queue, '1')).toEqual([entry('2'), entry('1')]);
    expect(requeued(queue, 'x')).toBe(queue);
  });

  it('changes the state of one and leaves the others as they are', () => {
    const queue = [entry('1'), entry('2')];
    const after = withState(queue, '2', 'sending');
    expect(after[0]).toBe(queue[0]);
    expect(after[1]?.state).toBe('sending');
  });

  it('reads what was stored: what was on its way waits again, nonsense is dropped', () => {
    expect(parseQueue([entry('1', 'a', 'sending'), { clientId: 1 }, null, 'x'])).toEqual([
      entry('1'),
    ]);
    expect(parseQueue({})).toBeUndefined();
  });
});

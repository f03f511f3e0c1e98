import { expect, test } from 'vitest';
import { createEventBus } from './domain-events.ts';

test('a listener that throws is logged once for each event and does not affect the others', () => {
  const logged: unknown[][] = [];
  const events = createEventBus({ error: (...line: unknown[]) => void logged.push(line) });
  const received: string[] = [];
  const error = new Error('a faulty listener');
  events.subscribe(() => {
    throw error;
  });
  events.subscribe(({ type }) => received.push(type));

  events.publish({ type: 'mail-queued' });
  events.publish({ type: 'erasure-queued' });

  expect(received).toEqual(['mail-queued', 'erasure-queued']);
  expect(logged).toEqual([
    [{ err: error, event: 'mail-queued' }, 'a listener failed'],
    [{ err: error, event: 'erasure-queued' }, 'a listener failed'],
  ]);
});

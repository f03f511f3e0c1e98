import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DomainEvent } from '../../domain-events.ts';
import {
  createBroadcastDecoder,
  decodeEvents,
  encodeBroadcast,
  encodeEvents,
  type Broadcast,
} from './event-notifications.ts';

/** Bytes that PostgreSQL accepts in a notification. */
const PAYLOAD_MAX = 7_999;

/** Sends a text as the payloads of notifications, and returns what arrives. */
function transmit(broadcast: Broadcast): (Broadcast | undefined)[] {
  const decode = createBroadcastDecoder();
  const payloads = encodeBroadcast(broadcast);
  for (const payload of payloads) {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(PAYLOAD_MAX);
  }
  return payloads.map(decode);
}

test('texts of any length and language arrive complete with their last notification', () => {
  const characters = fc.constantFrom('a', '"', '\\', 'ß', '€', '😀', ':', '\n');
  const texts = fc
    .tuple(fc.array(characters, { minLength: 1 }), fc.nat(9_000))
    .map(([pattern, length]) =>
      Array.from({ length }, (_, i) => pattern[i % pattern.length]).join(''),
    );
  fc.assert(
    fc.property(texts, (text) => {
      const broadcast = { sender: 2 ** 31 - 1, batch: 2 ** 40, text };
      const received = transmit(broadcast);
      expect(received.pop()).toEqual(broadcast);
      expect(received.every((each) => each === undefined)).toBe(true);
    }),
  );
});

test('many and long events are sent as several texts, in order', () => {
  const events: DomainEvent[] = Array.from({ length: 300 }, (_, i) => ({
    type: 'media-replaced',
    file: `${i} ${'😀'.repeat(i * 10)}`,
  }));
  const texts = [...encodeEvents(events)];
  expect(texts.length).toBeGreaterThan(5);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(80_000);
  expect(texts.flatMap(decodeEvents)).toEqual(events);
  expect([...encodeEvents([])]).toEqual([]);
});

import type { DesktopEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import { createPageEvents } from './page-events.ts';

const open = (chatroom: string): DesktopEvent => ({ type: 'open-chat', chatroom });

test('delivers events in order once the page is ready and queues them while it is gone', () => {
  const delivered: DesktopEvent[] = [];
  const events = createPageEvents((event) => delivered.push(event));
  events.send(open('1'));
  events.send(open('2'));
  expect(delivered).toEqual([]);
  events.startDelivery();
  events.send(open('3'));
  expect(delivered).toEqual([open('1'), open('2'), open('3')]);
  events.pauseDelivery();
  events.send(open('4'));
  expect(delivered).toHaveLength(3);
  events.startDelivery();
  expect(delivered[3]).toEqual(open('4'));
});

test('keeps only the newest queued events', () => {
  const delivered: DesktopEvent[] = [];
  const events = createPageEvents((event) => delivered.push(event));
  for (let room = 0; room < 1_000; room += 1) events.send(open(String(room)));
  events.startDelivery();
  expect(delivered).toHaveLength(50);
  expect(delivered.at(-1)).toEqual(open('999'));
});

import type { DesktopEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import { createPageEvents } from './page-events.ts';

const open = (chatroom: string): DesktopEvent => ({ type: 'open-chat', chatroom });

test('delivers events in order once the page listens', () => {
  const heard: DesktopEvent[] = [];
  const events = createPageEvents((event) => heard.push(event));
  events.send(open('1'));
  events.send(open('2'));
  expect(heard).toEqual([]);
  events.ready();
  events.send(open('3'));
  expect(heard).toEqual([open('1'), open('2'), open('3')]);
  events.gone();
  events.send(open('4'));
  expect(heard).toHaveLength(3);
  events.ready();
  expect(heard[3]).toEqual(open('4'));
});

test('limits the events that wait for a page', () => {
  const heard: DesktopEvent[] = [];
  const events = createPageEvents((event) => heard.push(event));
  for (let room = 0; room < 1_000; room += 1) events.send(open(String(room)));
  events.ready();
  expect(heard).toHaveLength(50);
  expect(heard.at(-1)).toEqual(open('999'));
});

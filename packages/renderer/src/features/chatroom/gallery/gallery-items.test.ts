import type { Message, SearchHit } from '@parley/contract';
import { expect, test } from 'vitest';
import { groupByMonth, linksOf, withArrived } from './gallery-items.ts';

function message(seq: number, content: string, kind: Message['kind'] = 'text'): Message {
  const time = '2025-03-05T12:00:00.000Z';
  return {
    _id: `id-${seq}`,
    chatroom: 'room',
    content,
    sender: { username: 'Bob' },
    createdAt: time,
    updatedAt: time,
    seq,
    rev: seq,
    kind,
  };
}

function hit(found: Message): SearchHit {
  return { message: found, excerpt: { text: '', ranges: [] } };
}

const seqsOf = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

test('adds the messages of the same kind that have arrived since the search, newest first', () => {
  const image = message(2, '/media/a.png', 'image');
  const room = {
    messages: [
      image,
      message(3, 'Hello'),
      message(4, '/media/b.png', 'image'),
      message(5, 'example.org is https://example.org'),
      message(6, '/media/c.png', 'image'),
    ],
  };
  expect(seqsOf(withArrived([hit(image)], room, 'image'))).toEqual([6, 4, 2]);
  expect(seqsOf(withArrived([], room, 'link'))).toEqual([5]);
  expect(seqsOf(withArrived([hit(image)], undefined, 'image'))).toEqual([2]);
});

test('lists each link to a web page with its host and the text around it', () => {
  const links = linksOf([
    message(1, 'See https://www.example.org/a?b=c, and\nhttp://parley.example:8080/'),
    message(2, 'write to bob@example.org'),
    message(3, 'https://a.example https://b.example https://a.example'),
  ]);
  expect(links.map(({ host, href }) => [host, href])).toEqual([
    ['example.org', 'https://www.example.org/a?b=c'],
    ['parley.example', 'http://parley.example:8080/'],
    ['a.example', 'https://a.example/'],
    ['b.example', 'https://b.example/'],
  ]);
  expect(links[0]?.text).toBe('See https://www.example.org/a?b=c, and http://parley.example:8080/');
  expect(new Set(links.map(({ key }) => key)).size).toBe(4);
});

test('shortens a long text around its link', () => {
  const before = 'word '.repeat(40);
  const [link] = linksOf([message(1, `${before}https://example.org ${'after '.repeat(60)}`)]);
  expect(link?.text).toMatch(/^… (?:word )+https:\/\/example\.org (?:after )+after…$/);
  expect(link?.text.length).toBeLessThan(210);
  const [unbroken] = linksOf([message(1, `${'x'.repeat(200)}(https://example.org)`)]);
  expect(unbroken?.text).toBe('… https://example.org)');
});

test('groups items by the months of the local time zone', () => {
  const times = [
    new Date(2025, 2, 31, 23, 59),
    new Date(2025, 2, 1, 0, 0),
    new Date(2025, 1, 28, 23, 59),
    new Date(2024, 1, 10),
  ].map((time) => time.toISOString());
  const months = groupByMonth(times, (time) => time, new Date(2100, 0, 1));
  expect(months.map(({ items }) => items.length)).toEqual([2, 1, 1]);
  expect(months.flatMap(({ items }) => items)).toEqual(times);
  expect(groupByMonth([], String, new Date())).toEqual([]);
  // The clock of the device is put back.
  const [current] = groupByMonth(times, (time) => time, new Date(2025, 1, 28));
  expect(current?.items).toEqual(times.slice(0, 3));
});

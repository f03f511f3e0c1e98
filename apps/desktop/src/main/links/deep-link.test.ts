import { describe, expect, test } from 'vitest';
import { findDeepLink, parseDeepLink, findServerOfLink } from './deep-link.ts';

const room = '0192f3a1-7c5e-7d1a-9b1e-2a3b4c5d6e7f';

describe('a deep link', () => {
  test('names a chatroom and optionally a server', () => {
    expect(parseDeepLink(`parley://chat/${room}`)).toEqual({ chatroom: room });
    expect(parseDeepLink(`PARLEY://chat/${room}?server=Chat.Example.org:8443`)).toEqual({
      chatroom: room,
      server: 'chat.example.org:8443',
    });
    expect(parseDeepLink(`parley://chat/${room}?server=[::1]:3000`)?.server).toBe('[::1]:3000');
  });

  test('names a message, too', () => {
    const link = `parley://chat/${room}/messages/70`;
    expect(parseDeepLink(link)).toEqual({ chatroom: room, seq: 70 });
    expect(parseDeepLink(`${link}?server=chat.example.org`)).toEqual({
      chatroom: room,
      seq: 70,
      server: 'chat.example.org',
    });
  });

  test.each([
    'parley://chat/',
    'parley://chat',
    'parley:chat/1',
    'parley://open/1',
    'parley://chat/a/b',
    'parley://chat/a/messages',
    'parley://chat/a/messages/0',
    'parley://chat/a/messages/1e3',
    `parley://chat/a/messages/${'1'.repeat(16)}`,
    'parley://chat/a/messages/1/2',
    'parley://chat/a/media/1',
    'parley://chat/..%2f..%2fsettings',
    'parley://chat/1?server=https://evil.example',
    'parley://chat/1?server=a@b',
    'parley://chat/1?url=https://evil.example',
    'parley://chat/1?server=a&server=b',
    'parley://chat/1#x',
    'parley://user@chat/1',
    'https://chat/1',
    `parley://chat/${'a'.repeat(65)}`,
    `parley://chat/1?server=${'a'.repeat(600)}`,
    '',
  ])('is not %j', (link) => expect(parseDeepLink(link)).toBeUndefined());
});

test('finds a deep link among the arguments of a program', () => {
  expect(findDeepLink(['/usr/bin/parley', '--hidden', `parley://chat/${room}`])).toEqual({
    chatroom: room,
  });
  expect(findDeepLink(['/usr/bin/parley', '--parley://chat/1'])).toBeUndefined();
});

test('resolves a deep link only to a known server', () => {
  const origins = ['https://a.example', 'http://b.example:3000'];
  expect(findServerOfLink({ chatroom: '1' }, origins, 'https://a.example')).toBe(
    'https://a.example',
  );
  expect(findServerOfLink({ chatroom: '1', server: 'b.example:3000' }, origins, undefined)).toBe(
    'http://b.example:3000',
  );
  expect(
    findServerOfLink({ chatroom: '1', server: 'c.example' }, origins, 'https://a.example'),
  ).toBeUndefined();
});

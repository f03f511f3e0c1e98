import { describe, expect, test } from 'vitest';
import { isPlainNetwork, parseAddress, toPlainOrigin } from './address.ts';

describe('a typed address', () => {
  test.each([
    ['chat.example.org', 'https://chat.example.org', false],
    ['  chat.example.org/  ', 'https://chat.example.org', false],
    ['chat.example.org:8443', 'https://chat.example.org:8443', false],
    ['HTTPS://Chat.Example.org/chatarea?x#y', 'https://chat.example.org', false],
    ['http://192.168.1.20:3000', 'http://192.168.1.20:3000', true],
    ['localhost:3000', 'https://localhost:3000', false],
    ['[::1]:3000', 'https://[::1]:3000', false],
    ['münchen.example', 'https://xn--mnchen-3ya.example', false],
  ])('%s is parsed as %s', (typed, origin, isPlain) => {
    expect(parseAddress(typed)).toEqual({ kind: 'address', origin, isPlain });
  });

  test.each([
    '',
    '   ',
    'ftp://chat.example.org',
    'file:///etc/passwd',
    'a b',
    'https://',
    'u:p@h',
    'http://u@h',
    'host:99999',
    'javascript://x',
    'https://:secret@h',
    'a,b.example',
    'a;script-src.example',
    'https://*',
  ])('%j is invalid', (typed) => {
    expect(parseAddress(typed)).toEqual({ kind: 'invalid' });
  });
});

test('the origin without encryption keeps an explicit port', () => {
  expect(toPlainOrigin('https://chat.example.org')).toBe('http://chat.example.org');
  expect(toPlainOrigin('https://chat.example.org:3000')).toBe('http://chat.example.org:3000');
});

test('only http to another machine counts as an unencrypted network', () => {
  expect(isPlainNetwork('http://192.168.1.20:3000')).toBe(true);
  expect(isPlainNetwork('http://localhost.example.org')).toBe(true);
  expect(isPlainNetwork('http://localhost:3000')).toBe(false);
  expect(isPlainNetwork('http://127.0.0.1')).toBe(false);
  expect(isPlainNetwork('http://[::1]:3000')).toBe(false);
  expect(isPlainNetwork('https://chat.example.org')).toBe(false);
});

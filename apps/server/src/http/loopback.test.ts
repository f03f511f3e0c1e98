import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback.ts';

const LOOPBACK = [
  'localhost',
  'LocalHost',
  'localhost.',
  'chat.localhost',
  'a.b.localhost',
  '127.0.0.1',
  '127.255.1.2',
  '127.1',
  '[::1]',
  '[0:0::1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f01:203]',
];

test.each([
  ...LOOPBACK,
  ...LOOPBACK.map((host) => `${host}:3000`),
  // A listening address has no brackets.
  '::1',
  '::ffff:127.0.0.1',
])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  '',
  ':3000',
  'notlocalhost',
  'localhost.example.org',
  'localhost.example.org:3000',
  '127.example.org',
  '127.0.0.1.example.org',
  '128.0.0.1',
  '192.0.2.1:3000',
  '0.0.0.0',
  '::',
  '[::2]',
  '[::ffff:192.0.2.1]',
  '[::127.0.0.1]',
  'example.org@localhost',
  'example.org/localhost',
  'localhost/x',
  'example.org?.localhost',
  'localhost:port',
])("'%s' can be another machine", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

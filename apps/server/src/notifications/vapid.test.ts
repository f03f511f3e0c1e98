import { afterEach, expect, test, vi } from 'vitest';
import { verifyVapid } from '../../test/push-subscription.ts';
import { contactOf, createVapid } from './vapid.ts';

const SECRET = '5f'.repeat(32);

afterEach(() => vi.useRealTimers());

test('verifies the example of RFC 8292 as push services do', () => {
  // Section 2.4.
  const token =
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1M' +
    'jM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK' +
    '9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA';
  const key =
    'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs';
  const header = `vapid t=${token}, k=${key}`;
  const at = 1_453_520_000_000;
  expect(verifyVapid(header, 'https://push.example.net', at)).toEqual({
    publicKey: key,
    contact: 'mailto:push@example.com',
  });
  expect(() => verifyVapid(header, 'https://other.example.net', at)).toThrow('audience');
  expect(() => verifyVapid(header, 'https://push.example.net', at + 86_400_000)).toThrow('expired');
  const forged = header.replace('i3CYb7', 'i3CYb8');
  expect(() => verifyVapid(forged, 'https://push.example.net', at)).toThrow('signature');
});

test('identifies the server to each push service', () => {
  const vapid = createVapid(SECRET, 'mailto:operator@example.org');
  for (const origin of ['https://push.example.org', 'https://push.example.com:8443']) {
    const header = vapid.authorize(new URL(`${origin}/a/b?c`));
    expect(verifyVapid(header, origin)).toEqual({
      publicKey: vapid.publicKey,
      contact: 'mailto:operator@example.org',
    });
  }
});

test('uses a token again until it is an hour old', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const vapid = createVapid(SECRET, 'mailto:operator@example.org');
  const endpoint = new URL('https://push.example.org/');
  const first = vapid.authorize(endpoint);
  vi.setSystemTime(Date.now() + 3_500_000);
  expect(vapid.authorize(endpoint)).toBe(first);
  vi.setSystemTime(Date.now() + 200_000);
  const second = vapid.authorize(endpoint);
  expect(second).not.toBe(first);
  verifyVapid(second, 'https://push.example.org');
});

test('the same secret has the same keys, and any secret has some', () => {
  const keyOf = (secret: string) => createVapid(secret, 'mailto:a@example.org').publicKey;
  expect(keyOf(SECRET)).toBe(keyOf(SECRET));
  const keys = ['00', 'ff', '01'].map((byte) => keyOf(byte.repeat(32)));
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(Buffer.from(key, 'base64url')).toHaveLength(65);
});

test('the contact is the address of the operator, else the site', () => {
  const publicUrl = 'https://chat.example.org';
  expect(contactOf({ operator: { email: 'op@example.org' }, publicUrl })).toBe(
    'mailto:op@example.org',
  );
  // URLs are in ASCII.
  expect(contactOf({ operator: { email: 'op@bücher.example' }, publicUrl })).toBe(
    'mailto:op@xn--bcher-kva.example',
  );
  expect(contactOf({ operator: {}, publicUrl })).toBe(publicUrl);
});

test('names no contact if there is none, instead of one that does not exist', () => {
  expect(contactOf({ operator: {}, publicUrl: 'http://localhost:3000' })).toBeUndefined();
  expect(contactOf({ operator: {}, publicUrl: undefined })).toBeUndefined();
  const header = createVapid(SECRET, undefined).authorize(new URL('https://push.example.org/a'));
  expect(verifyVapid(header, 'https://push.example.org').contact).toBeUndefined();
  const [, claims = ''] = header.split('.');
  expect(Object.keys(JSON.parse(Buffer.from(claims, 'base64url').toString()))).toEqual([
    'aud',
    'exp',
  ]);
});

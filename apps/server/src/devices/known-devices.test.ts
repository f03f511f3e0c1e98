import { afterEach, expect, test, vi } from 'vitest';
import { createKnownDevices, DEVICE_LIFETIME } from './known-devices.ts';

afterEach(() => void vi.useRealTimers());

const devices = createKnownDevices('secret');
const anna = { id: 'anna', epoch: 'first' };
const berta = { id: 'berta', epoch: 'first' };

test('recognizes a browser only for the accounts that have logged in with it', () => {
  const cookie = devices.remember(devices.remember('', anna), berta);
  expect([anna, berta].map((account) => devices.isKnown(cookie, account))).toEqual([true, true]);
  expect(devices.isKnown(cookie, { id: 'clara', epoch: 'first' })).toBe(false);
  expect(devices.isKnown('', anna)).toBe(false);
  expect(createKnownDevices('another').isKnown(cookie, anna)).toBe(false);
});

test('does not recognize a browser from another epoch of the account', () => {
  const cookie = devices.remember('', anna);
  const later = { ...anna, epoch: 'second' };
  expect(devices.isKnown(cookie, later)).toBe(false);
  expect(devices.isKnown(devices.remember(cookie, later), later)).toBe(true);
});

test('forgets a browser 400 days after its last login', () => {
  vi.useFakeTimers();
  const cookie = devices.remember('', anna);
  vi.advanceTimersByTime((DEVICE_LIFETIME - 1) * 1000);
  expect(devices.isKnown(cookie, anna)).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(devices.isKnown(cookie, anna)).toBe(false);
});

test('does not recognize a browser by a login while the clock was ahead, nor once that time comes', () => {
  vi.useFakeTimers();
  const now = Date.now();
  const at = (seconds: number) => vi.setSystemTime(now + seconds * 1000);
  at(DEVICE_LIFETIME / 2);
  const ahead = devices.remember(devices.remember('', anna), berta);
  at(0);
  expect(devices.isKnown(ahead, anna)).toBe(false);
  const cookie = devices.remember(ahead, anna);
  expect(devices.isKnown(cookie, anna)).toBe(true);
  expect(cookie.split('~')).toHaveLength(2);
  at(DEVICE_LIFETIME);
  expect(devices.isKnown(cookie, anna)).toBe(false);
});

test('recognizes a browser at once at another server whose clock is half a minute behind', () => {
  vi.useFakeTimers();
  const cookie = devices.remember('', anna);
  vi.setSystemTime(Date.now() - 30_000);
  expect(devices.isKnown(cookie, anna)).toBe(true);
});

test('keeps one entry for each of the five accounts that logged in last', () => {
  const accounts = Array.from({ length: 6 }, (_, i) => ({ id: `account ${i}`, epoch: '' }));
  const again = [...accounts, ...accounts];
  const cookie = again.reduce((before, account) => devices.remember(before, account), '');
  expect(cookie.split('~')).toHaveLength(5);
  expect(accounts.map((account) => devices.isKnown(cookie, account))).toEqual([
    false,
    ...Array.from({ length: 5 }, () => true),
  ]);
});

test('removes only the entry of a forgotten account', () => {
  const cookie = devices.remember(devices.remember('', anna), berta);
  const rest = devices.forget(cookie, anna);
  expect([anna, berta].map((account) => devices.isKnown(rest, account))).toEqual([false, true]);
  expect(devices.forget(rest, berta)).toBe('');
});

test('contains a time and a signature, which are equal for two logins at the same time', () => {
  vi.useFakeTimers();
  const cookie = devices.remember('', anna);
  expect(cookie).toMatch(/^\d+\.[\w-]{22}$/);
  expect(devices.remember('', anna)).toBe(cookie);
});

test.each(['', '~', 'x', '~~~~~~~~~~~~', '1.aaaaaaaaaaaaaaaaaaaaaa', '1.a.aaaaaaaaaaaaaaaaaaaaaa'])(
  'recognizes nothing in the forged cookie %j and keeps only well-formed entries',
  (forged) => {
    expect(devices.isKnown(forged, anna)).toBe(false);
    const cookie = devices.remember(forged, anna);
    expect(devices.isKnown(cookie, anna)).toBe(true);
    expect(cookie).toMatch(/^\d+\.[\w-]{22}(?:~\d+\.[\w-]{22})?$/);
  },
);

import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientNetwork, createNetworkCheck, normalizeAddress } from './client-address.ts';

describe('normalizeAddress', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['2001:db8:0:0::1', '2001:db8:0:0:0:0:0:1'],
    ['[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
    ['[2001:db8::1]:443', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
  ])('normalizes %s to %s', (text, address) => {
    expect(normalizeAddress(text)).toBe(address);
  });

  test.each([
    undefined,
    '',
    'nonsense',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '300.1.1.1',
    '_hidden',
    '[',
    '[]:1',
    'a:b',
    '1.2.3.4:x',
  ])('returns undefined for %s', (text) => {
    expect(normalizeAddress(text)).toBeUndefined();
  });
});

describe('clientNetwork', () => {
  const network = (ip: string) =>
    clientNetwork({ ip, socket: { remoteAddress: '::ffff:10.0.0.2' } as Socket });

  test('returns the IPv4 address or the /48 of the IPv6 address', () => {
    expect(network('192.0.2.1')).toBe('192.0.2.1');
    expect(network('2001:db8:1:2::3')).toBe('2001:db8:1::/48');
    expect(network('2001:db8:1:ffff::')).toBe('2001:db8:1::/48');
    expect(network('2001:db8:2::')).toBe('2001:db8:2::/48');
  });

  test('returns the network of the proxy if the forwarded address is invalid', () => {
    expect(network('nonsense')).toBe('10.0.0.2');
  });
});

test('a network check compares addresses in any notation with ranges and single addresses', () => {
  const isTrusted = createNetworkCheck(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
  for (const address of [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '10.1.2.3:80',
    '192.0.2.1',
    '[fd00::1]:80',
  ]) {
    expect(isTrusted(address)).toBe(true);
  }
  for (const address of ['11.1.2.3', '192.0.2.2', 'fe00::1', 'nonsense', '']) {
    expect(isTrusted(address)).toBe(false);
  }
});

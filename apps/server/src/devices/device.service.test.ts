import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { getHashingOwner } from './device.service.ts';

const owner = (ip: string, userId?: string, knownAccount?: string) =>
  getHashingOwner({
    ip,
    socket: new Socket(),
    knownAccount,
    session: userId === undefined ? {} : { userId },
  });

test('groups password checks by network, then by account, and those of all guests together', () => {
  expect(owner('192.0.2.1')).toEqual(['192.0.2.1', '']);
  expect(owner('2001:db8:1:2::3', 'anna')).toEqual(['2001:db8:1::/48', 'anna']);
  expect(owner('192.0.2.1', undefined, 'anna')).toEqual(['192.0.2.1', 'anna']);
});

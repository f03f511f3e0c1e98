import { randomBytes } from 'node:crypto';
import type { FastifyRequest, Session } from 'fastify';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-address.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import type { WriteContext } from '../storage/storage.ts';
import { findDeviceAccounts, findEpoch, setEpoch } from './device.repository.ts';
import { readCookie } from './device-cookie.ts';
import type { DeviceAccount, KnownDevices } from './known-devices.ts';

/** Forgets all devices of an account, by a new epoch. Returns the account with it. */
export async function forgetAllDevices(
  { trx }: WriteContext,
  userId: string,
): Promise<DeviceAccount> {
  // A counter could repeat after a backup was restored.
  const epoch = randomBytes(12).toString('base64url');
  await setEpoch(trx, userId, epoch);
  return { id: userId, epoch };
}

/** Returns an account with its current epoch. */
export async function getDeviceAccount(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
): Promise<DeviceAccount> {
  return { id: userId, epoch: (await storage.read((db) => findEpoch(db, userId))) ?? '' };
}

/** Returns the id of an account with an email address that the request's device is known for. */
export async function findKnownAccount(
  { storage }: Pick<Context, 'storage'>,
  devices: KnownDevices,
  request: FastifyRequest,
  email: string,
): Promise<string | undefined> {
  const cookie = readCookie(request);
  if (cookie === '') return undefined;
  const accounts = await storage.read((db) => findDeviceAccounts(db, email));
  return accounts.find((account) => devices.isKnown(cookie, account))?.id;
}

/**
 * Returns the owner of a request's jobs in the password hasher's queue: its network and, within it,
 * the current user or the account that its device is known for. A client cannot choose any of them.
 */
export function getHashingOwner(
  request: Pick<FastifyRequest, 'ip' | 'socket' | 'knownAccount'> & {
    session: Pick<Session, 'userId'>;
  },
): JobOwner {
  return [clientNetwork(request), request.session.userId ?? request.knownAccount ?? ''];
}

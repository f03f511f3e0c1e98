import { dirname } from 'node:path/posix';
import { endpoints } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-address.ts';
import { findUserByEmail } from './account.repository.ts';
import { DEVICE_COOKIE, DEVICE_LIFETIME, type KnownDevices } from './known-devices.ts';

/** Path of the cookie, `/api/users`: only requests that check passwords and keys need it. */
const PATH = dirname(endpoints.login.path);

/** Sets the cookie that proves that an account has logged in with this browser. */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  devices: KnownDevices,
  userId: string,
): void {
  setCookie(request, reply, devices.remember(request.cookies[DEVICE_COOKIE], userId));
}

/** Removes an account from the browser's cookie. */
export function forgetDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  devices: KnownDevices,
  userId: string,
): void {
  const cookie = request.cookies[DEVICE_COOKIE];
  if (cookie === undefined) return;
  const rest = devices.forget(cookie, userId);
  if (rest === '') reply.clearCookie(DEVICE_COOKIE, { path: PATH });
  else setCookie(request, reply, rest);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  reply.setCookie(DEVICE_COOKIE, value, {
    path: PATH,
    maxAge: DEVICE_LIFETIME,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
  });
}

/** Finds the id by which a request's device is known for the account with an email address. */
export async function findKnownDevice(
  { storage }: Pick<Context, 'storage'>,
  devices: KnownDevices,
  request: FastifyRequest,
  email: string,
): Promise<string | undefined> {
  const cookie = request.cookies[DEVICE_COOKIE];
  if (cookie === undefined) return undefined;
  const user = await storage.read((db) => findUserByEmail(db, email));
  return user && devices.find(cookie, user.id);
}

/**
 * Returns the owner of a request's jobs in the password hasher's queue: its known device, or its
 * network.
 */
export function getHashingOwner(request: FastifyRequest): string {
  return request.knownDevice ?? clientNetwork(request);
}

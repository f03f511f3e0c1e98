import { dirname } from 'node:path/posix';
import { endpoints } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-address.ts';
import { findUserByEmail } from './account.repository.ts';
import { DEVICE_COOKIE, DEVICE_LIFETIME, type KnownDevices } from './known-devices.ts';

/** Only what checks passwords and keys gets the cookie: `/api/users`. */
const PATH = dirname(endpoints.login.path);

/** Has the browser show from now on that an account has logged in there. */
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

/** Finds the number by which a request's device is known for the account with a mail address. */
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

/** In whose queue a request waits for the password hasher: its device's, or its network's. */
export function getHashingQueue(request: FastifyRequest): string {
  return request.knownDevice ?? clientNetwork(request);
}

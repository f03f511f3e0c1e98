import { dirname } from 'node:path/posix';
import { endpoints } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setPrivateCookie } from '../http/private-cookie.ts';
import { DEVICE_LIFETIME, type DeviceAccount, type KnownDevices } from './known-devices.ts';

/** Name of the cookie that proves previous logins with a browser. */
const DEVICE_COOKIE = 'parley.device';

/** Path of the cookie, `/api`: requests to log in and requests to end sessions need it. */
const PATH = dirname(endpoints.endOtherSessions.path);

/** Sets the cookie that proves that an account has logged in with this browser. */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  devices: KnownDevices,
  account: DeviceAccount,
): void {
  setCookie(request, reply, devices.remember(readCookie(request), account));
}

/** Removes an account from the browser's cookie. */
export function forgetDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  devices: KnownDevices,
  account: DeviceAccount,
): void {
  const cookie = readCookie(request);
  if (cookie === '') return;
  const rest = devices.forget(cookie, account);
  if (rest === '') reply.clearCookie(DEVICE_COOKIE, { path: PATH });
  else setCookie(request, reply, rest);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  const cookie = { name: DEVICE_COOKIE, value, path: PATH, maxAge: DEVICE_LIFETIME };
  setPrivateCookie(request, reply, cookie);
}

/**
 * Returns the value of the cookie, or an empty string. Browsers also send a cookie that an earlier
 * version has set with a longer path, before the current one. Its entries are invalid.
 */
export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const own = cookies.filter((pair) => pair.startsWith(`${DEVICE_COOKIE}=`));
  return own.map((pair) => pair.slice(DEVICE_COOKIE.length + 1)).join('~');
}

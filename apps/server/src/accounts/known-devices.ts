import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Name of the cookie by which a browser shows that somebody has logged in there before. */
export const DEVICE_COOKIE = 'parley.device';

/** How long a browser is known after a login, in seconds: as long as browsers keep a cookie. */
export const DEVICE_LIFETIME = 400 * 24 * 60 * 60;

/** Accounts that one browser is known for; the one that logged in first is forgotten first. */
const ACCOUNTS_MAX = 5;

/**
 * Knows browsers again in which an account has logged in. All of it is in the browser's own cookie,
 * nothing in the database: for each account a time, a random number, and a signature over both and
 * the account's id. So it tells nothing of the account, and means nothing once that is deleted.
 */
export interface KnownDevices {
  /** A number by which the browser is known for an account, or undefined if it is not. */
  find(cookie: string | undefined, userId: string): string | undefined;
  /** The cookie of a browser in which an account has just logged in. */
  remember(cookie: string | undefined, userId: string): string;
  /** The cookie without an account; empty if there is no other. */
  forget(cookie: string | undefined, userId: string): string;
}

/** Creates the check; `secret` is for these signatures only. */
export function createKnownDevices(secret: string): KnownDevices {
  function sign(seconds: string, nonce: string, userId: string): string {
    return createHmac('sha256', secret)
      .update(`${seconds}.${nonce}.${userId}`)
      .digest('base64url')
      .slice(0, 22);
  }

  function isSignedFor(entry: string, userId: string): boolean {
    const [seconds = '', nonce = '', signature = ''] = entry.split('.');
    const expected = sign(seconds, nonce, userId);
    return (
      signature.length === expected.length &&
      timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) &&
      Number(seconds) > Date.now() / 1000 - DEVICE_LIFETIME
    );
  }

  function listOtherEntries(cookie: string | undefined, userId: string): string[] {
    return parseEntries(cookie).filter((entry) => !isSignedFor(entry, userId));
  }

  return {
    find(cookie, userId) {
      const own = parseEntries(cookie).find((entry) => isSignedFor(entry, userId));
      return own?.split('.')[1];
    },
    remember(cookie, userId) {
      const seconds = String(Math.floor(Date.now() / 1000));
      const nonce = randomBytes(12).toString('base64url');
      const entry = [seconds, nonce, sign(seconds, nonce, userId)].join('.');
      return [entry, ...listOtherEntries(cookie, userId)].slice(0, ACCOUNTS_MAX).join('~');
    },
    forget: (cookie, userId) => listOtherEntries(cookie, userId).join('~'),
  };
}

/** A cookie as it was sent may have been written by anybody. */
function parseEntries(cookie = ''): string[] {
  return cookie
    .split('~', ACCOUNTS_MAX)
    .filter((entry) => /^\d{1,12}\.[\w-]{16}\.[\w-]{22}$/.test(entry));
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Name of the cookie that proves previous logins with a browser. */
export const DEVICE_COOKIE = 'parley.device';

/**
 * Seconds for which a browser stays known after a login: the longest lifetime that browsers allow
 * for cookies.
 */
export const DEVICE_LIFETIME = 400 * 24 * 60 * 60;

/**
 * Maximum number of accounts per browser. The account that logged in least recently is forgotten
 * first.
 */
const ACCOUNTS_MAX = 5;

/**
 * Recognizes browsers in which an account has logged in before. All state is in the browser's
 * cookie: for each account a time, a random id, and a signature over both and the account's id. The
 * cookie reveals nothing about the account and becomes meaningless once the account is deleted.
 */
export interface KnownDevices {
  /** Returns the id by which the browser is known for an account, or undefined. */
  find(cookie: string | undefined, userId: string): string | undefined;
  /** Returns the cookie for a browser in which an account has just logged in. */
  remember(cookie: string | undefined, userId: string): string;
  /** Returns the cookie without an account; empty if no other account remains. */
  forget(cookie: string | undefined, userId: string): string;
}

/**
 * Creates the recognizer of known browsers.
 * @param secret the key that signs the entries of the cookie and is used for nothing else.
 */
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

/** Returns the well-formed entries of a cookie, which may be forged. */
function parseEntries(cookie = ''): string[] {
  return cookie
    .split('~', ACCOUNTS_MAX)
    .filter((entry) => /^\d{1,12}\.[\w-]{16}\.[\w-]{22}$/.test(entry));
}

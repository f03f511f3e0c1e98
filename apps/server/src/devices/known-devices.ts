import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Seconds for which a browser stays known after a login: the longest lifetime that browsers allow
 * for cookies.
 */
export const DEVICE_LIFETIME = 400 * 24 * 60 * 60;

/** Seconds by which the clocks of servers may differ. */
const TOLERANCE = 60;

/**
 * Maximum number of accounts per browser. The account that logged in least recently is forgotten
 * first.
 */
const ACCOUNTS_MAX = 5;

/** An account that devices are known for. All of them are forgotten once its epoch changes. */
export interface DeviceAccount {
  readonly id: string;
  readonly epoch: string;
}

/**
 * Recognizes browsers in which an account has logged in before. All state is in the browser's
 * cookie: for each account a time, and a signature over it, the account's id and its epoch. The
 * cookie reveals nothing about the account and becomes meaningless once the epoch changes or the
 * account is deleted.
 */
export interface KnownDevices {
  /** Returns whether the browser is known for an account. */
  isKnown(cookie: string, account: DeviceAccount): boolean;
  /** Returns the cookie for a browser in which an account has just logged in. */
  remember(cookie: string, account: DeviceAccount): string;
  /** Returns the cookie without an account; empty if no other account remains. */
  forget(cookie: string, account: DeviceAccount): string;
}

/**
 * Creates the recognizer of known browsers.
 * @param secret the key that signs the entries of the cookie and is used for nothing else.
 */
export function createKnownDevices(secret: string): KnownDevices {
  function sign(seconds: string, { id, epoch }: DeviceAccount): string {
    return createHmac('sha256', secret)
      .update([id, epoch, seconds].join('\0'))
      .digest('base64url')
      .slice(0, 22);
  }

  function isSignedFor(entry: string, account: DeviceAccount): boolean {
    const [seconds = '', signature = ''] = entry.split('.');
    const expected = sign(seconds, account);
    return (
      signature.length === expected.length &&
      timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    );
  }

  function listOtherEntries(cookie: string, account: DeviceAccount): string[] {
    // Without an entry of the account from the future, which would be valid again once that time comes.
    return parseEntries(cookie).filter((entry) => !isSignedFor(entry, account));
  }

  return {
    isKnown: (cookie, account) =>
      parseEntries(cookie).some((each) => isSignedFor(each, account) && isCurrent(each)),
    remember(cookie, account) {
      const seconds = String(Math.floor(Date.now() / 1000));
      const entry = `${seconds}.${sign(seconds, account)}`;
      return [entry, ...listOtherEntries(cookie, account)].slice(0, ACCOUNTS_MAX).join('~');
    },
    forget: (cookie, account) => listOtherEntries(cookie, account).join('~'),
  };
}

/** Returns whether a browser has logged in within the lifetime, and not in the future: the clock was put back since. */
function isCurrent(entry: string): boolean {
  const age = Date.now() / 1000 - Number.parseInt(entry, 10);
  return age > -TOLERANCE && age < DEVICE_LIFETIME;
}

/** Returns the well-formed entries of a cookie, which may be forged. */
function parseEntries(cookie: string): string[] {
  const entries = cookie.split('~', 2 * ACCOUNTS_MAX);
  return entries.filter((entry) => /^\d{1,12}\.[\w-]{22}$/.test(entry)).slice(0, ACCOUNTS_MAX);
}

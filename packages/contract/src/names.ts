import { codePoints, LIMITS } from './limits.ts';
import { isHighlyRestrictive } from './scripts.ts';
import { hasInvisible } from './visible-text.ts';

/** The partner name of deleted accounts. No user can register it. */
export const DELETED_USER = 'deletedUser';

/** The `chatroom` in a find-user response if the users have no chatroom yet. */
export const NEW_CHATROOM = 'new-chatroom';

/** Usernames that seem to speak for the product or its operator, or that have a meaning in the API. */
export const RESERVED_USERNAMES: readonly string[] = [
  DELETED_USER,
  NEW_CHATROOM,
  'admin',
  'support',
  'parley',
];

const RESERVED_KEYS = new Set(RESERVED_USERNAMES.map(usernameKey));

const USERNAME = /^[\p{L}\p{M}\p{N}._-]+$/u;
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u;

/** Returns a username as it is stored and shown: trimmed and NFC-normalized. */
export function normalizeUsername(name: string): string {
  return name.trim().normalize('NFC');
}

/** Returns the key for comparing usernames: NFKC-normalized and in lower case. */
export function usernameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** Returns whether a username is reserved. */
export function isReservedUsername(name: string): boolean {
  return RESERVED_KEYS.has(usernameKey(name));
}

/**
 * Returns whether a normalized username is valid: 2 to 20 visible letters, digits, `.`, `_` or `-`
 * of any script, and not reserved.
 */
export function isUsername(name: string): boolean {
  const length = codePoints(name);
  return (
    length >= LIMITS.usernameMin &&
    length <= LIMITS.usernameMax &&
    USERNAME.test(name) &&
    // Unicode counts fillers and variation selectors as letters and marks, but they make names look identical.
    !hasInvisible(name) &&
    /[\p{L}\p{N}]/u.test(name) &&
    !isReservedUsername(name)
  );
}

/**
 * Returns whether people can distinguish a normalized username from others: it uses one script, or
 * Latin with Chinese, Japanese or Korean, and at most two marks per letter. Required of new
 * usernames.
 */
export function isDistinguishableUsername(name: string): boolean {
  return !/[\p{Mn}\p{Me}]{3}/u.test(name.normalize('NFD')) && isHighlyRestrictive(name);
}

/** Returns an email address that a user typed as it is shown: trimmed, NFC-normalized and in lower case. */
export function readableEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

// Exists in browsers and in Node, whose types this package does not include.
declare const URL: new (url: string) => { readonly hostname: string };

/** Returns an email address as it is stored and compared: like it is shown, with its domain in ASCII. */
export function normalizeEmail(email: string): string {
  const readable = readableEmail(email);
  const start = readable.lastIndexOf('@') + 1;
  return readable.slice(0, start) + asciiDomain(readable.slice(start));
}

/** Returns an international domain in ASCII (IDNA), and anything else unchanged. */
function asciiDomain(domain: string): string {
  if (!/^(?=.*[^\p{ASCII}])[^\s\p{Cc}/:?#\\%[\]]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * Returns whether a normalized email address is valid: `local@domain.tld` with at most 254
 * characters, none of which has a meaning in mail headers.
 */
export function isEmail(email: string): boolean {
  return email.length <= LIMITS.emailMax && EMAIL.test(email) && /@\p{ASCII}+$/u.test(email);
}

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

/** Returns an email address that a user typed as it is shown: trimmed, in lower case and NFC-normalized. */
export function readableEmail(email: string): string {
  const typed = email.trim().normalize('NFC');
  const start = typed.lastIndexOf('@') + 1;
  // Without its context, as for UTS #46: the lower case of a sigma at the end of a word is another letter.
  const domain = Array.from(typed.slice(start), (character) => character.toLowerCase()).join('');
  // The lower case of some NFC texts is not NFC: that of "J̌" has a precomposed form, unlike "J̌" itself.
  return (typed.slice(0, start).toLowerCase() + domain).normalize('NFC');
}

// Exists in browsers and in Node, whose types this package does not include.
declare const URL: new (url: string) => { readonly hostname: string };

/**
 * Returns an email address as it is stored and compared, so that one mailbox has one form: like it is shown,
 * with its domain in ASCII (UTS #46) and without the dot of the root.
 */
export function normalizeEmail(email: string): string {
  const trimmed = email.trim();
  const start = trimmed.lastIndexOf('@') + 1;
  return readableEmail(trimmed.slice(0, start)) + asciiDomain(trimmed.slice(start));
}

/** Returns an international domain in ASCII, another one in lower case, and anything else as it is shown. */
function asciiDomain(domain: string): string {
  return (toHostname(domain) ?? readableEmail(domain)).replace(/\.+$/, '');
}

/** Returns an international domain in ASCII; undefined if it is in ASCII already or invalid. */
function toHostname(domain: string): string | undefined {
  if (!/^(?=.*[^\p{ASCII}])[^\s\p{Cc}/:?#\\%[\]]+$/u.test(domain)) return undefined;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a normalized email address is valid: `local@domain.tld` with at most 254
 * characters, none of which has a meaning in mail headers.
 */
export function isEmail(email: string): boolean {
  return email.length <= LIMITS.emailMax && EMAIL.test(email) && /@\p{ASCII}+$/u.test(email);
}

import { codePoints, LIMITS } from './limits.ts';
import { isHighlyRestrictive } from './scripts.ts';

/** The partner name that stands for an account that is gone. Nobody can register it. */
export const DELETED_USER = 'deletedUser';

/** What find-user answers in place of a room id when the two have no room yet. */
export const NEW_CHATROOM = 'new-chatroom';

const USERNAME = /^[\p{L}\p{M}\p{N}._-]+$/u;
// Fillers and variation selectors count as letters and marks: with them, a name looks like another one.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u;

/** The name as it is stored and shown: trimmed, composed. */
export function normalizeUsername(name: string): string {
  return name.trim().normalize('NFC');
}

/** What two usernames are compared by: NFKC, case folded. */
export function usernameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** Whether a normalised name may be registered: 2 to 20 letters, digits, `.`, `_` or `-` of any script, all visible. */
export function isUsername(name: string): boolean {
  const length = codePoints(name);
  return (
    length >= LIMITS.usernameMin &&
    length <= LIMITS.usernameMax &&
    USERNAME.test(name) &&
    !INVISIBLE.test(name) &&
    /[\p{L}\p{N}]/u.test(name) &&
    usernameKey(name) !== usernameKey(DELETED_USER)
  );
}

/**
 * Whether a normalised name is one that people can tell from others: of one script, or Latin beside
 * Chinese, Japanese or Korean, and with at most two marks on a letter. New names have to be.
 */
export function isReadableUsername(name: string): boolean {
  return !/[\p{Mn}\p{Me}]{3}/u.test(name.normalize('NFD')) && isHighlyRestrictive(name);
}

/** The mail address as it is stored and compared: trimmed, lower-cased. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether a normalised address can be one: `local@domain.tld`, at most 254 characters, none that a mail header gives meaning to. */
export function isEmail(email: string): boolean {
  return email.length <= LIMITS.emailMax && EMAIL.test(email);
}

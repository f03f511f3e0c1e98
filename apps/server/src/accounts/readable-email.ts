import { domainToASCII, domainToUnicode } from 'node:url';
import { isHighlyRestrictive, normalizeEmail } from '@parley/contract';
import { skeletonAsTyped } from './look-alikes.ts';

/**
 * Returns a stored email address as people read it: with its domain in Unicode. A domain that may be taken
 * for another one, such as one in Cyrillic letters that look like Latin ones, stays in ASCII.
 */
export function toReadableEmail(email: string): string {
  const normalized = normalizeEmail(email);
  const start = normalized.lastIndexOf('@') + 1;
  const domain = normalized.slice(start);
  const readable = domainToUnicode(domain);
  const isSafe = domainToASCII(readable) === domain && readable.split('.').every(isUnmistakable);
  return normalized.slice(0, start) + (isSafe ? readable : domain);
}

/** Returns whether a label of a domain is in one script and does not look like a label in Latin letters. */
function isUnmistakable(label: string): boolean {
  if (/^\p{ASCII}*$/u.test(label)) return true;
  const looksLatin = /^\p{ASCII}*$/u.test(skeletonAsTyped(label));
  return isHighlyRestrictive(label) && (/\p{Script=Latin}/u.test(label) || !looksLatin);
}

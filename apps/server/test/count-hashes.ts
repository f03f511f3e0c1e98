import { randomBytes } from 'node:crypto';
import { costs } from '@parley/testing/costs';
import { isLongRun } from '@parley/testing/scope';
import argon2 from 'argon2';

const { hash, verify } = argon2;

/** How the salts of cheap hashes begin. */
const CHEAP_SALT = Buffer.from('test');
/** Sixteen bytes, like those of Argon2. */
const RANDOM_BYTES = 12;
/** The memory in kibibytes that Argon2 needs at least, which takes a hundredth of the time. */
const CHEAP_MEMORY = 8;

/** Whether passwords match hashes that are not cheap, such as that of `signIn`. */
const comparisons = new Map<string, Promise<boolean>>();

/**
 * Counts the passwords that servers in this process hash and verify, for the budget of the tests. Outside the long run,
 * it makes them cheap: hashes that say what they should have cost, and known results of comparisons.
 */
export function countHashes(): void {
  Object.assign(argon2, {
    hash: (...[password, options]: Parameters<typeof hash>) => {
      costs.hashes += 1;
      return isLongRun ? hash(password, options) : hashCheaply(password, options);
    },
    verify: (...[digest, password]: Parameters<typeof verify>) => {
      costs.hashes += 1;
      return isLongRun ? verify(digest, password) : verifyCheaply(digest, password);
    },
  });
}

async function hashCheaply(...[password, options = {}]: Parameters<typeof hash>): Promise<string> {
  const { salt = Buffer.concat([CHEAP_SALT, randomBytes(RANDOM_BYTES)]), memoryCost = 0 } = options;
  // The digest is compared with that of another hash.
  if (!isCheap(salt)) return hash(password, options);
  const digest = await hash(password, { ...options, salt, memoryCost: CHEAP_MEMORY });
  return digest.replace(`m=${CHEAP_MEMORY},`, `m=${memoryCost},`);
}

function verifyCheaply(...[digest, password]: Parameters<typeof verify>): Promise<boolean> {
  const salt = Buffer.from(digest.split('$').at(-2) ?? '', 'base64');
  if (isCheap(salt)) return verify(digest.replace(/\bm=\d+/, `m=${CHEAP_MEMORY}`), password);
  const key = JSON.stringify([digest, password.toString('base64')]);
  const known = comparisons.get(key) ?? verify(digest, password);
  comparisons.set(key, known);
  return known;
}

function isCheap(salt: Buffer): boolean {
  return salt.subarray(0, CHEAP_SALT.length).equals(CHEAP_SALT);
}

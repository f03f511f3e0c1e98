import { costs } from '@parley/testing/costs';
import argon2 from 'argon2';

/** Counts the passwords that servers in this process hash and verify, for the budget of the tests. */
export function countHashes(): void {
  const { hash, verify } = argon2;
  Object.assign(argon2, {
    hash: (...args: Parameters<typeof hash>) => {
      costs.hashes += 1;
      return hash(...args);
    },
    verify: (...args: Parameters<typeof verify>) => {
      costs.hashes += 1;
      return verify(...args);
    },
  });
}

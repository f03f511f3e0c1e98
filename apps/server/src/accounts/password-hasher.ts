import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import { AppError } from '../errors/app-error.ts';
import { createFairQueue } from '../http/fair-queue.ts';

/**
 * Hashes passwords with Argon2id and never more of them at once than the machine can bear. `owner`
 * is who waits, such as a network address: each waits only for one password of every other.
 */
export interface PasswordHasher {
  /**
   * A PHC string of the password.
   * @throws {AppError} `unavailable` if too many others wait.
   */
  hash(password: string, owner: string): Promise<string>;
  /**
   * Whether a password is the hashed one. Without a hash the answer is no, after the same work.
   * @throws {AppError} `unavailable` if too many others wait.
   */
  verify(hash: string | undefined, password: string, owner: string): Promise<boolean>;
}

// OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const PARAMETERS = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

/** One of libuv's four threads stays free for the disk. */
const CONCURRENCY = Math.min(3, availableParallelism());
/** At some 30 ms each, the last in the queue waits a few seconds. */
const MAX_WAITING = 200;
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

/** Makes a hasher with a queue of its own, in which at most `maxWaiting` wait. */
export function createPasswordHasher(maxWaiting = MAX_WAITING): PasswordHasher {
  const decoy = createDecoyHash();
  const queue = createFairQueue({
    concurrency: CONCURRENCY,
    maxWaiting,
    createFullError: () => new AppError('unavailable', { retryAfter: RETRY_AFTER }),
  });
  return {
    hash: (password, owner) => queue.run(owner, () => argon2.hash(password, PARAMETERS)),
    verify: (hash, password, owner) =>
      queue.run(owner, () => argon2.verify(hash ?? decoy, password)),
  };
}

/** A hash in form and cost, of no password. */
function createDecoyHash(): string {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${randomBase64(16)}$${randomBase64(32)}`;
}

function randomBase64(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import { createOverloadError } from '../errors/overload-error.ts';
import { createFairQueue, type JobOwner } from '../scheduling/fair-queue.ts';

/**
 * Hashes passwords with Argon2id and limited concurrency. Jobs are queued per `owner`, a
 * network and an account in it, and owners take turns (see {@link createFairQueue}).
 */
export interface PasswordHasher {
  /**
   * Returns the hash of a password as a PHC string, with a random salt or that of another hash.
   * @throws {AppError} `unavailable` if too many jobs are waiting.
   */
  hash(password: string, owner: JobOwner, other?: string): Promise<string>;
  /**
   * Returns whether a password matches a hash. Without a hash, it does the same work and returns
   * false.
   * @throws {AppError} `unavailable` if too many jobs are waiting.
   */
  verify(hash: string | undefined, password: string, owner: JobOwner): Promise<boolean>;
  /**
   * Returns which of several hashes that share the salt of the first one a password matches. It takes
   * as long as {@link verify}, however many there are.
   * @throws {AppError} `unavailable` if too many jobs are waiting.
   */
  findMatch(
    hashes: readonly string[],
    password: string,
    owner: JobOwner,
  ): Promise<string | undefined>;
}

// OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const PARAMETERS = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

/** Number of concurrent jobs, which leaves one of libuv's four threads to the file system. */
const CONCURRENCY = Math.min(3, availableParallelism());
/** Maximum queue length. At about 30 ms per hash, the last job waits a few seconds. */
const MAX_WAITING = 200;

/** Creates a hasher with its own queue, in which at most `maxWaiting` jobs wait. */
export function createPasswordHasher(maxWaiting = MAX_WAITING): PasswordHasher {
  const decoy = createUnusableHash();
  const queue = createFairQueue({
    concurrency: CONCURRENCY,
    maxWaiting,
    createFullError: createOverloadError,
  });
  const hash: PasswordHasher['hash'] = (password, owner, other) =>
    queue.run(owner, () =>
      argon2.hash(password, { ...PARAMETERS, ...(other !== undefined && { salt: saltOf(other) }) }),
    );
  return {
    hash,
    verify: (expected, password, owner) =>
      queue.run(owner, () => argon2.verify(expected ?? decoy, password)),
    async findMatch(hashes, password, owner) {
      const given = digestOf(await hash(password, owner, hashes[0] ?? decoy));
      return hashes.find((each) => {
        const expected = digestOf(each);
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
    },
  };
}

// Versions of the library order the parameters differently, so only the end of the string is compared.
function digestOf(hash: string): Buffer {
  return Buffer.from(hash.split('$').at(-1) ?? '', 'base64');
}

function saltOf(hash: string): Buffer {
  return Buffer.from(hash.split('$').at(-2) ?? '', 'base64');
}

/** Creates a hash that matches no password and takes as long to verify as any other. */
export function createUnusableHash(): string {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${randomBase64(16)}$${randomBase64(32)}`;
}

function randomBase64(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}

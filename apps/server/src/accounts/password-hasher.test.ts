import argon2 from 'argon2';
import { expect, test, vi } from 'vitest';
import { createPasswordHasher } from './password-hasher.ts';

test('hashes with a salt and the Argon2id parameters that OWASP recommends', async () => {
  const passwords = createPasswordHasher();
  const [one, two] = await Promise.all([
    passwords.hash('secret', ['me']),
    passwords.hash('secret', ['me']),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,(?:t=2,p=1|p=1,t=2)\$/);
  expect(one).not.toBe(two);
  expect(await passwords.verify(one, 'secret', ['me'])).toBe(true);
  expect(await passwords.verify(one, 'Secret', ['me'])).toBe(false);
});

test('returns false without a hash after the same amount of work', async () => {
  const passwords = createPasswordHasher();
  const hash = await passwords.hash('secret', ['me']);
  const verify = vi.spyOn(argon2, 'verify');
  expect(await passwords.verify(hash, 'wrong', ['me'])).toBe(false);
  expect(await passwords.verify(undefined, 'wrong', ['me'])).toBe(false);
  const [known, unknown] = verify.mock.calls.map(([digest]) => costOf(digest));
  expect(known).toContain('m=19456');
  expect(unknown).toEqual(known);
});

test('rejects jobs beyond the maximum number of waiting jobs, then continues', async () => {
  const passwords = createPasswordHasher(10);
  const all = await Promise.allSettled(
    Array.from({ length: 30 }, () => passwords.verify(undefined, 'secret', ['me'])),
  );
  const refused = all.filter((result) => result.status === 'rejected');
  // At most three hashes are computed concurrently; ten wait.
  expect(refused.length).toBeGreaterThanOrEqual(30 - 10 - 3);
  expect(refused.length).toBeLessThan(20);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 'unavailable', retryAfter: 5 });
  }
  expect(await passwords.verify(undefined, 'secret', ['me'])).toBe(false);
});

/** Returns the parameters of a hash, which versions of the library order differently, and its length. */
function costOf(digest: string): string[] {
  const [, algorithm = '', version = '', parameters = '', salt = '', end = ''] = digest.split('$');
  return [algorithm, version, ...parameters.split(',').toSorted(), `${salt.length} ${end.length}`];
}

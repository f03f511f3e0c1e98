import { randomBytes } from 'node:crypto';
import type { Storage } from './storage.ts';

/** Returns a secret of 32 random bytes (hex). It is created at first use and never changes. */
export function loadSecret(storage: Pick<Storage, 'write'>, name: string): Promise<string> {
  return storage.write(async ({ trx }) => {
    await trx
      .insertInto('secrets')
      .values({ name, value: randomBytes(32).toString('hex') })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await trx
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return row.value;
  });
}

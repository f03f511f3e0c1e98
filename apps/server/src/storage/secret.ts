import { randomBytes } from 'node:crypto';
import type { Reader, Storage } from './storage.ts';

/** Returns a secret of 32 random bytes (hex). It is created at first use and never changes. */
export function loadSecret(storage: Pick<Storage, 'write'>, name: string): Promise<string> {
  return storage.write(async ({ trx }) => {
    await trx
      .insertInto('secrets')
      .values({ name, value: randomBytes(32).toString('hex') })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const value = await findSecret(trx, name);
    if (value === undefined) throw new Error('a secret that was just created is missing');
    return value;
  });
}

/** Returns a secret, or undefined if it has not been created yet. */
export async function findSecret(db: Reader, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

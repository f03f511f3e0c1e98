import type { Context } from '../context.ts';
import { findUsersWithoutSkeletons, upsertSkeletons } from './look-alike.repository.ts';

/** Accounts whose skeletons are made in one write. */
const BATCH_SIZE = 500;

/**
 * Makes the skeletons of all accounts that have none of this version: after an upgrade, and with new
 * Unicode data. Names that looked alike before stay. Each slice is kept, so it may be cut off.
 */
export async function fillSkeletons({ storage }: Pick<Context, 'storage'>): Promise<void> {
  for (;;) {
    const users = await storage.read((db) => findUsersWithoutSkeletons(db, BATCH_SIZE));
    if (users.length === 0) return;
    await storage.write(async ({ trx }) => {
      for (const { id, username } of users) await upsertSkeletons(trx, id, username);
    });
  }
}

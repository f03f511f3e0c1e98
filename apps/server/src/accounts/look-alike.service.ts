import type { Context } from '../context.ts';
import { findUsersWithoutSkeletons, upsertSkeletons } from './look-alike.repository.ts';

/** Number of accounts whose skeletons are computed per write. */
const BATCH_SIZE = 500;

/**
 * Computes the skeletons of all accounts that have none of the current version, such as after an
 * upgrade with new Unicode data. Existing look-alikes stay. Each batch is committed, so an
 * interrupted run loses no work.
 */
export async function fillSkeletons({ storage }: Pick<Context, 'storage'>): Promise<void> {
  for (;;) {
    const users = await storage.read((db) => findUsersWithoutSkeletons(db, BATCH_SIZE));
    if (users.length === 0) return;
    await storage.write(async ({ trx }) => {
      // Read again: another server that starts at the same time may have computed them.
      const remaining = await findUsersWithoutSkeletons(trx, BATCH_SIZE);
      for (const { id, username } of remaining) await upsertSkeletons(trx, id, username);
    });
  }
}

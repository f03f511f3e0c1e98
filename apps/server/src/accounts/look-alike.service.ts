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
      for (const { id, username } of users) await upsertSkeletons(trx, id, username);
    });
  }
}

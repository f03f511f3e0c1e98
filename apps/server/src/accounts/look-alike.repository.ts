import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { SKELETON_VERSION, usernameSkeletons } from './look-alikes.ts';

type Db = Kysely<Database>;

/** Accounts whose skeletons are made in one transaction. */
const SLICE = 500;

/** Stores the skeletons of an account's name in place of earlier ones. */
export async function putSkeletons(trx: Db, userId: string, username: string): Promise<void> {
  await trx.deleteFrom('username_skeletons').where('user_id', '=', userId).execute();
  const rows = usernameSkeletons(username).map((skeleton) => ({
    skeleton,
    user_id: userId,
    version: SKELETON_VERSION,
  }));
  await trx.insertInto('username_skeletons').values(rows).execute();
}

/**
 * Makes the skeletons of all accounts that have none of this version: after an upgrade, and with new
 * Unicode data. Names that were alike before stay. Each slice is kept, so it may be cut off.
 */
export async function fillSkeletons(db: Db): Promise<void> {
  for (;;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('ended_at', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('username_skeletons as known')
              .select('known.user_id')
              .whereRef('known.user_id', '=', 'users.id')
              .where('known.version', '=', SKELETON_VERSION),
          ),
        ),
      )
      .limit(SLICE)
      .execute();
    if (users.length === 0) return;
    await db.transaction().execute(async (trx) => {
      for (const { id, username } of users) await putSkeletons(trx, id, username);
    });
  }
}

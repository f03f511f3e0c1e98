import type { Reader, Writer } from '../storage/storage.ts';
import { SKELETON_VERSION, usernameSkeletons } from './look-alikes.ts';

/** Replaces the skeletons of an account's username. */
export async function upsertSkeletons(
  trx: Writer,
  userId: string,
  username: string,
): Promise<void> {
  await trx.deleteFrom('username_skeletons').where('user_id', '=', userId).execute();
  const rows = usernameSkeletons(username).map((skeleton) => ({
    skeleton,
    user_id: userId,
    version: SKELETON_VERSION,
  }));
  await trx.insertInto('username_skeletons').values(rows).execute();
}

/** Finds accounts without skeletons of the current version. */
export function findUsersWithoutSkeletons(
  db: Reader,
  limit: number,
): Promise<{ id: string; username: string }[]> {
  return db
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
    .limit(limit)
    .execute();
}

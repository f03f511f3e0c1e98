import type { Selectable } from 'kysely';
import { findLastPlace } from '../storage/activity-clock.ts';
import { pairKeyOf } from '../storage/relationships.ts';
import { staticFind } from '../storage/static-query.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import type { Consent } from '../storage/tables/chatrooms.table.ts';
import type { UsersTable } from '../storage/tables/users.table.ts';

/** Finds the account of the current user, for responses about chatrooms. */
export const findCurrentUser = staticFind<
  { userId: string },
  Pick<Selectable<UsersTable>, 'username' | 'volume'>
>((db, param) =>
  db
    .selectFrom('users')
    .select(['username', 'volume'])
    .where('id', '=', param('userId'))
    .where('ended_at', 'is', null),
);

/** An account as found by its username. */
export type PartnerRow = Pick<
  Selectable<UsersTable>,
  'id' | 'username' | 'who_may_write' | 'is_discoverable' | 'suspended_at'
>;

/** Finds the account with a username, given its `usernameKey`. */
export function findPartner(db: Reader, usernameKey: string): Promise<PartnerRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'who_may_write', 'is_discoverable', 'suspended_at'])
    .where('username_key', '=', usernameKey)
    .executeTakeFirst();
}

/** A chatroom to insert. */
export interface NewChatroom {
  id: string;
  userId: string;
  partnerId: string;
  /** The partner's consent to messages of the user, who has accepted the partner. */
  partnerConsent: Consent;
  now: number;
}

/** Inserts the chatroom of two users who have none yet. */
export async function insertChatroom(trx: Writer, room: NewChatroom): Promise<void> {
  const { id, userId, partnerId, partnerConsent, now } = room;
  await trx
    .insertInto('chatrooms')
    .values({
      id,
      pair_key: pairKeyOf(userId, partnerId),
      last_seq: 0,
      last_rev: 0,
      // The chat list is sorted by it until there is a message.
      created_at: Math.max(now, (await findLastPlace(trx)) + 1),
    })
    .execute();
  await trx
    .insertInto('chatroom_members')
    .values([
      { chatroom_id: id, user_id: userId, read_seq: 0, consent: 'accepted' },
      { chatroom_id: id, user_id: partnerId, read_seq: 0, consent: partnerConsent },
    ])
    .execute();
}

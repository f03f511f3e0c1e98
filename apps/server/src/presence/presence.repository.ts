import { sql } from 'kysely';
import type { PresenceColumns } from '../relationships/relationship.ts';
import { textsOf } from '../storage/expressions.ts';
import { CONDITIONS, relationships } from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticSelect, staticWrite } from '../storage/static-query.ts';

/** Two members who have accepted each other, as seen by one of them. */
export interface PresenceRow extends PresenceColumns {
  chatroom_id: string;
  user_id: string;
  last_seen_at: number | null;
  partner_id: string;
  partner_last_seen_at: number | null;
}

const selectPresenceRows = staticSelect<{ userIds: string }, PresenceRow>((db, param) =>
  relationships(db)
    .select([
      'me.chatroom_id',
      'me.user_id',
      'me.consent',
      'me.blocked_at',
      'me_user.shares_presence',
      'me_user.suspended_at',
      'me_user.last_seen_at',
      'partner.consent as partner_consent',
      'partner.blocked_at as partner_blocked_at',
      'partner_user.shares_presence as partner_shares_presence',
      'partner_user.suspended_at as partner_suspended_at',
      'partner_user.last_seen_at as partner_last_seen_at',
    ])
    .select((eb) => eb.ref('partner_user.id').$notNull().as('partner_id'))
    .where('me.user_id', 'in', textsOf(param('userIds')))
    .where(CONDITIONS.hasAccepted('me'))
    .where(CONDITIONS.hasAccepted('partner'))
    .where('partner_user.id', 'is not', null),
);

/** Finds the accepted chats of users whose accounts and partners are not deleted. */
export async function findPresenceRows(
  db: Reader,
  userIds: readonly string[],
): Promise<PresenceRow[]> {
  return selectPresenceRows(db, { userIds: JSON.stringify(userIds) });
}

const countMemberships = staticSelect<{ userIds: string }, { user_id: string; count: number }>(
  (db, param) =>
    db
      .selectFrom('chatroom_members')
      .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
      .where('user_id', 'in', textsOf(param('userIds')))
      .groupBy('user_id'),
);

/** Counts the chatrooms of users, by the ids of those who have any. */
export async function countChatrooms(
  db: Reader,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await countMemberships(db, { userIds: JSON.stringify(userIds) });
  return new Map(rows.map(({ user_id: userId, count }) => [userId, count]));
}

const updateLastSeen = staticWrite<{ userIds: string; lastSeenAt: number }, unknown>((db, param) =>
  db
    .updateTable('users')
    .set({ last_seen_at: param('lastSeenAt') })
    .where('id', 'in', textsOf(param('userIds')))
    .where('shares_presence', '=', sql.lit(1))
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', param('lastSeenAt'))]),
    ),
);

/** Stores when users were last online, in full minutes, unless they do not share it. */
export async function advanceLastSeen(
  trx: Writer,
  userIds: readonly string[],
  lastSeenAt: number,
): Promise<void> {
  await updateLastSeen(trx, { userIds: JSON.stringify(userIds), lastSeenAt });
}

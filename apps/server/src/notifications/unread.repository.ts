import { LIMITS, type MessageKind } from '@parley/contract';
import { sql, type RawBuilder } from 'kysely';
import { selectExcerpt } from '../storage/expressions.ts';
import { CONDITIONS, relationships } from '../storage/relationships.ts';
import { staticFind } from '../storage/static-query.ts';
import type { Reader } from '../storage/storage.ts';
import { isReceived, isTakenOutOfArchive, viewpointOf } from '../storage/visibility.ts';

/** The unread messages of a chatroom. */
interface News {
  seq: number;
  kind: MessageKind;
  /** The beginning of the text. */
  content: string;
  /** Number of unread messages. */
  unread: number;
}

/**
 * Finds the newest unread message of a chatroom, from `since` on. Returns undefined if there is none.
 * `earlier` is 1 if the user received an older one, read or not.
 */
export const findNews = staticFind<
  { userId: string; chatroomId: string; since: number },
  News & { earlier: number }
>((db, param) => {
  const received = (afterSeq: RawBuilder<unknown>, limit: number, beforeSeq?: number) =>
    sql<number>`select seq from messages
      where ${isReceived('messages', viewpointOf('me'), afterSeq)}
      ${beforeSeq === undefined ? sql`` : sql`and seq < ${beforeSeq}`}
      order by seq desc limit ${sql.lit(limit)}`;
  const readSeq = sql.ref('me.read_seq');
  const count = (seqs: RawBuilder<number>) =>
    sql<number>`(select count(*) from (${seqs}) as counted)`;
  return relationships(db)
    .innerJoin('messages as message', (join) =>
      join
        .onRef('message.chatroom_id', '=', 'me.chatroom_id')
        .on('message.seq', '=', sql`(${received(readSeq, 1)})`),
    )
    .select([
      'message.seq',
      'message.kind',
      selectExcerpt<string>('message.content', LIMITS.pushExcerpt + 1).as('content'),
      count(received(readSeq, LIMITS.unreadMax)).as('unread'),
      count(received(sql.lit(0), 1, param('since'))).as('earlier'),
    ])
    .where('me.user_id', '=', param('userId'))
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('message.seq', '>=', param('since'));
});

/** Whether a chat is not archived: it never was, or the partner has taken it out. */
const isInList = sql<boolean>`(me.archived_seq is null or ${isTakenOutOfArchive('me')})`;

/** Returns whether a chat is in the user's list and not archived. */
export async function isListed(db: Reader, userId: string, chatroomId: string): Promise<boolean> {
  const row = await relationships(db)
    .select('me.user_id')
    .where('me.user_id', '=', userId)
    .where('me.chatroom_id', '=', chatroomId)
    .where(isInList)
    .executeTakeFirst();
  return row !== undefined;
}

const selectUnread = staticFind<{ userId: string; now: number }, { unread: number }>(
  (db, param) => {
    // Refers to both memberships, so that PostgreSQL does not read messages before it knows what is read.
    const partnerId = sql`nullif(partner_user.id, me.user_id)`;
    const unread = relationships(db)
      .crossJoin('messages as message')
      .select('message.seq')
      .where(isReceived('message', viewpointOf('me', partnerId), sql.ref('me.read_seq')))
      .where('me.user_id', '=', param('userId'))
      .where(CONDITIONS.isReceiving('me'))
      .where((eb) => eb.not(CONDITIONS.isQuietRequest('me')))
      .where((eb) =>
        eb.or([eb('me.muted_until', 'is', null), eb('me.muted_until', '<=', param('now'))]),
      )
      .where(isInList)
      .limit(sql.lit(LIMITS.unreadMax));
    return db.selectFrom(unread.as('all')).select((of) => of.fn.countAll<number>().as('unread'));
  },
);

/** Counts the unread messages of a user, without quiet requests, muted and archived chats. */
export async function countUnread(db: Reader, userId: string, now: number): Promise<number> {
  return (await selectUnread(db, { userId, now }))?.unread ?? 0;
}

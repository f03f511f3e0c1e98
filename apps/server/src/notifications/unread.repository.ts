import { LIMITS, type MessageKind } from '@parley/contract';
import { sql, type RawBuilder } from 'kysely';
import { selectExcerpt, withoutIndex } from '../storage/expressions.ts';
import { CONDITIONS, relationships } from '../storage/relationships.ts';
import { staticFind } from '../storage/static-query.ts';
import type { Reader } from '../storage/storage.ts';
import { isTakenOutOfArchive, isVisibleToPartner } from '../storage/visibility.ts';

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
  const received = (from: Reader) =>
    from
      .selectFrom('messages as message')
      .innerJoin('chatroom_members as me', 'me.chatroom_id', 'message.chatroom_id')
      .where('me.user_id', '=', param('userId'))
      .where('message.chatroom_id', '=', param('chatroomId'))
      .where(sql<boolean>`${withoutIndex('message.sender_id')} <> me.user_id`)
      .where('message.deleted_at', 'is', null)
      .where(isVisibleToPartner('message', 'me'));
  const unread = received(db)
    .select('message.seq')
    .where(sql<boolean>`message.seq > me.read_seq`)
    .limit(sql.lit(LIMITS.unreadMax));
  const earlier = received(db)
    .select('message.seq')
    .where('message.seq', '<', param('since'))
    .limit(sql.lit(1));
  return received(db)
    .select([
      'message.seq',
      'message.kind',
      selectExcerpt<string>('message.content', LIMITS.pushExcerpt + 1).as('content'),
    ])
    .select((eb) => [
      eb
        .selectFrom(unread.as('all'))
        .select((of) => of.fn.countAll<number>().as('count'))
        .$asScalar()
        .as('unread'),
      eb
        .selectFrom(earlier.as('some'))
        .select((of) => of.fn.countAll<number>().as('count'))
        .$asScalar()
        .as('earlier'),
    ])
    .where(sql<boolean>`message.seq > me.read_seq`)
    .where('message.seq', '>=', param('since'))
    .orderBy('message.seq', 'desc')
    .limit(sql.lit(1));
});

/** Whether a chat is not archived: it never was, or the partner has taken it out. */
function isInList(partnerId: string): RawBuilder<boolean> {
  return sql<boolean>`(me.archived_seq is null or ${isTakenOutOfArchive('me', sql.ref(partnerId))})`;
}

/** Returns whether a chat is in the user's list and not archived. */
export async function isListed(db: Reader, userId: string, chatroomId: string): Promise<boolean> {
  const row = await relationships(db)
    .select('me.user_id')
    .where('me.user_id', '=', userId)
    .where('me.chatroom_id', '=', chatroomId)
    .where(isInList('partner_user.id'))
    .executeTakeFirst();
  return row !== undefined;
}

const selectUnread = staticFind<{ userId: string; now: number }, { unread: number }>((db, param) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('chatroom_members as me')
        .innerJoin('messages as message', (join) =>
          join
            .onRef('message.chatroom_id', '=', 'me.chatroom_id')
            .onRef('message.seq', '>', 'me.read_seq'),
        )
        .innerJoin('users as sender', 'sender.id', 'message.sender_id')
        .select('message.seq')
        .where('me.user_id', '=', param('userId'))
        .where(CONDITIONS.isReceiving('me'))
        .where((eb) => eb.not(CONDITIONS.isQuietRequest('me')))
        .where((eb) =>
          eb.or([eb('me.muted_until', 'is', null), eb('me.muted_until', '<=', param('now'))]),
        )
        .where(sql<boolean>`${withoutIndex('message.sender_id')} <> me.user_id`)
        .where('sender.ended_at', 'is', null)
        .where('message.deleted_at', 'is', null)
        .where(isVisibleToPartner('message', 'me'))
        .where(isInList('message.sender_id'))
        .limit(sql.lit(LIMITS.unreadMax))
        .as('all'),
    )
    .select((of) => of.fn.countAll<number>().as('unread')),
);

/** Counts the unread messages of a user, without quiet requests, muted and archived chats. */
export async function countUnread(db: Reader, userId: string, now: number): Promise<number> {
  return (await selectUnread(db, { userId, now }))?.unread ?? 0;
}

import type { MessageKind } from '@parley/contract';
import { sql } from 'kysely';
import { rowsOf, type ParameterRow } from '../storage/expressions.ts';
import type { Reader } from '../storage/storage.ts';
import { staticFind, staticSelect } from '../storage/static-query.ts';
import { isVisibleTo } from '../storage/visibility.ts';

/** Consecutive messages of a chatroom. */
export interface SeqRange {
  readonly chatroomId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the messages in ranges as JSON for `rowsOf`, a row each. PostgreSQL cannot estimate how many messages a range
 * contains, and would look at all messages of all chatrooms instead.
 */
function toJson(ranges: readonly SeqRange[]): string {
  const rows = ranges.flatMap(({ chatroomId, first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i): ParameterRow => [chatroomId, first + i, 0]),
  );
  return JSON.stringify(rows);
}

/** What a message is or contains, by which it is indexed. */
export interface IndexableMessage {
  chatroom_id: string;
  seq: number;
  kind: MessageKind;
  content: string;
}

/** Starts a query of the messages in ranges that are not deleted. */
function wantedMessages(db: Reader, wanted: string) {
  return db
    .selectFrom(rowsOf(wanted).as('wanted'))
    .crossJoin('messages')
    .whereRef('messages.chatroom_id', '=', 'wanted.key')
    .whereRef('messages.seq', '=', 'wanted.first')
    .where('messages.deleted_at', 'is', null);
}

const selectIndexable = staticSelect<{ wanted: string }, IndexableMessage>((db, param) =>
  wantedMessages(db, param('wanted'))
    .select(['messages.chatroom_id', 'messages.seq', 'messages.kind', 'messages.content'])
    .orderBy('messages.chatroom_id')
    .orderBy('messages.seq'),
);

/**
 * Returns the messages in ranges that are not deleted, by chatroom and `seq`. They include those that a
 * user cannot see.
 */
export async function listIndexable(
  db: Reader,
  ranges: readonly SeqRange[],
): Promise<IndexableMessage[]> {
  if (ranges.length === 0) return [];
  return selectIndexable(db, { wanted: toJson(ranges) });
}

/** Tells whether messages in a range have changed: the number of those that are not deleted, and their latest `rev`. */
export interface RangeVersion {
  count: number;
  rev: number | null;
}

const selectVersion = staticFind<{ wanted: string }, RangeVersion>((db, param) =>
  wantedMessages(db, param('wanted')).select((eb) => [
    eb.fn.countAll<number>().as('count'),
    eb.fn.max('messages.rev').as('rev'),
  ]),
);

/** Returns the version of the messages in a range, which is another one after a change. */
export async function findRangeVersion(db: Reader, range: SeqRange): Promise<RangeVersion> {
  return (await selectVersion(db, { wanted: toJson([range]) })) ?? { count: 0, rev: null };
}

/** A message that a user sees. */
export interface VisibleMessage {
  id: string;
  chatroom_id: string;
  seq: number;
  created_at: number;
  kind: MessageKind;
  /** 1 if the user sent it. */
  is_own: number;
}

const selectVisible = staticSelect<{ wanted: string; viewerId: string }, VisibleMessage>(
  (db, param) => {
    const viewerId = param('viewerId');
    return db
      .selectFrom(rowsOf(param('wanted')).as('wanted'))
      .crossJoin('messages as message')
      .whereRef('message.chatroom_id', '=', 'wanted.key')
      .whereRef('message.seq', '=', 'wanted.first')
      .crossJoin('chatroom_members as me')
      .whereRef('me.chatroom_id', '=', 'message.chatroom_id')
      .where('me.user_id', '=', viewerId)
      .innerJoin('users as sender', 'sender.id', 'message.sender_id')
      .select([
        'message.id',
        'message.chatroom_id',
        'message.seq',
        'message.created_at',
        'message.kind',
        sql<number>`case when message.sender_id = ${viewerId} then 1 else 0 end`.as('is_own'),
      ])
      .where('message.deleted_at', 'is', null)
      .where('sender.ended_at', 'is', null)
      .where(isVisibleTo('message', 'me'));
  },
);

/** Returns the messages in ranges that a user sees, in any order. */
export async function listVisible(
  db: Reader,
  viewerId: string,
  ranges: readonly SeqRange[],
): Promise<VisibleMessage[]> {
  if (ranges.length === 0) return [];
  return selectVisible(db, { wanted: toJson(ranges), viewerId });
}

const selectTimes = staticSelect<
  { wanted: string },
  Pick<VisibleMessage, 'chatroom_id' | 'seq' | 'created_at'>
>((db, param) =>
  db
    .selectFrom(rowsOf(param('wanted')).as('wanted'))
    .crossJoin('messages as message')
    .whereRef('message.chatroom_id', '=', 'wanted.key')
    .whereRef('message.seq', '=', 'wanted.first')
    .select(['message.chatroom_id', 'message.seq', 'message.created_at']),
);

/** Returns when messages were sent, one per chatroom, by chatroom. They may be deleted. */
export async function findTimes(
  db: Reader,
  positions: readonly { readonly chatroomId: string; readonly seq: number }[],
): Promise<Map<string, number>> {
  if (positions.length === 0) return new Map();
  const ranges = positions.map(({ chatroomId, seq }) => ({ chatroomId, first: seq, last: seq }));
  const rows = await selectTimes(db, { wanted: toJson(ranges) });
  return new Map(rows.map((row) => [row.chatroom_id, row.created_at]));
}

import { sql, type RawBuilder } from 'kysely';
import { plannedLimit } from './expressions.ts';

/** What decides which messages of a chatroom a member sees. */
export interface Viewpoint {
  chatroomId: unknown;
  viewerId: unknown;
  /** Null if the partner's account has ended, which hides the partner's messages. */
  partnerId: unknown;
  /** Messages of the partner up to this `seq` are deleted for the member. */
  clearedSeq: unknown;
  /** The member's own messages up to this `seq` are deleted for the member. */
  ownClearedSeq: unknown;
  /** Which messages of the partner: 0 by default, or 1 for those that are withheld instead. */
  withheld?: unknown;
}

/**
 * Returns the viewpoint of a membership in a query.
 * @param member the table of the membership, or its alias.
 */
export function viewpointOf(
  member: string,
  partnerId: RawBuilder<unknown> = sql.ref('partner_user.id'),
  withheld?: unknown,
): Viewpoint {
  const column = (name: string) => sql.ref(`${member}.${name}`);
  return {
    chatroomId: column('chatroom_id'),
    viewerId: column('user_id'),
    partnerId,
    clearedSeq: column('cleared_seq'),
    ownClearedSeq: column('own_cleared_seq'),
    withheld,
  };
}

/**
 * Whether the partner of its sender sees a message that is not deleted: it is not withheld, and the
 * partner has not deleted the request or chat that contained it.
 * @param message the table of the message, or its alias.
 * @param partner the table of the partner's membership, or its alias.
 */
export function isVisibleToPartner(message: string, partner: string): RawBuilder<boolean> {
  const [withheld, seq] = [sql.ref(`${message}.withheld`), sql.ref(`${message}.seq`)];
  return sql<boolean>`(${withheld} = 0 and ${seq} > ${sql.ref(`${partner}.cleared_seq`)})`;
}

/**
 * Whether a member sees a message of a chatroom that is not deleted.
 * @param message the table of the message, or its alias.
 * @param member the table of the membership, or its alias.
 */
export function isVisibleTo(message: string, member: string): RawBuilder<boolean> {
  const isOwn = sql`${sql.ref(`${message}.sender_id`)} = ${sql.ref(`${member}.user_id`)}`;
  return sql<boolean>`(case when ${isOwn} then ${isVisibleToSender(message, member)}
    else ${isVisibleToPartner(message, member)} end)`;
}

/**
 * Whether the sender sees a message that is not deleted: the sender has not deleted the chat that contained it.
 * @param message the table of the message, or its alias.
 * @param sender the table of the sender's membership, or its alias.
 */
export function isVisibleToSender(message: string, sender: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${message}.seq`)} > ${sql.ref(`${sender}.own_cleared_seq`)})`;
}

/**
 * Whether the member sees a message that the partner sent after a `seq`. The rows are one range of an index, however
 * many others the chatroom has.
 * @param message the table of the message, or its alias.
 */
export function isReceived(
  message: string,
  { chatroomId, partnerId, clearedSeq, withheld = sql.lit(0) }: Viewpoint,
  afterSeq: unknown = sql.lit(0),
  isDeleted = false,
): RawBuilder<boolean> {
  return sql`${isInRange(message, chatroomId, partnerId, withheld, isDeleted)} and ${sql.ref(`${message}.seq`)}
    > ${laterOf(clearedSeq, sql`cast(${afterSeq} as bigint)`)}`;
}

/** Returns one lower bound instead of two, as SQLite would begin at one of several. */
function laterOf(a: unknown, b: unknown): RawBuilder<number> {
  return sql`case when ${a} > ${b} then ${a} else ${b} end`;
}

function isInRange(
  message: string,
  chatroomId: unknown,
  senderId: unknown,
  withheld: unknown,
  isDeleted = false,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${message}.${name}`);
  return sql`${column('chatroom_id')} = ${chatroomId} and ${column('sender_id')} = ${senderId}
    and ${column('withheld')} = ${withheld}
    and ${column('deleted_at')} ${isDeleted ? sql`is not null` : sql`is null`}`;
}

/** Which of the messages that a member sees, by `seq`, and in which order. */
export interface VisibleRange {
  afterSeq?: unknown;
  beforeSeq?: unknown;
  order: 'asc' | 'desc';
  limit: unknown;
}

/**
 * Selects columns, with `seq` among them, of the first messages in a range that a member sees: the first of the
 * member's own messages, of those of them that are withheld, and of the partner's.
 */
export function visibleMessages<Row>(
  columns: RawBuilder<unknown>,
  viewpoint: Viewpoint,
  { afterSeq = sql.lit(0), beforeSeq, order, limit }: VisibleRange,
): RawBuilder<Row> {
  const { chatroomId, viewerId, ownClearedSeq } = viewpoint;
  const after = boundOf(afterSeq);
  const own = ([0, 1] as const).map((withheld) => {
    return sql`${isInRange('messages', chatroomId, viewerId, sql.lit(withheld))}
      and messages.seq > ${laterOf(ownClearedSeq, after)}`;
  });
  const isBefore = beforeSeq === undefined ? sql`` : sql`and messages.seq < ${boundOf(beforeSeq)}`;
  const ranges = [...own, isReceived('messages', viewpoint, after)];
  return firstOf(
    columns,
    ranges.map((range) => sql`${range} ${isBefore}`),
    order,
    limit,
  );
}

/** Selects columns, with `seq` among them, of the next messages that a user sent, including deleted ones. */
export function sentMessages<Row>(
  columns: RawBuilder<unknown>,
  { chatroomId, viewerId }: Pick<Viewpoint, 'chatroomId' | 'viewerId'>,
  afterSeq: unknown,
  limit: unknown,
): RawBuilder<Row> {
  const after = boundOf(afterSeq);
  const ranges = [false, true].flatMap((isDeleted) =>
    ([0, 1] as const).map((withheld) => {
      const isSent = isInRange('messages', chatroomId, viewerId, sql.lit(withheld), isDeleted);
      return sql`${isSent} and messages.seq > ${after}`;
    }),
  );
  return firstOf(columns, ranges, 'asc', limit);
}

/** Hides the value of a bound from PostgreSQL, which may prefer the index of all messages by `seq` otherwise. */
function boundOf(seq: unknown): RawBuilder<unknown> {
  return sql`(select cast(${seq} as bigint))`;
}

/** Selects the first messages of several ranges, by `seq`, without reading more of each than that. */
function firstOf<Row>(
  columns: RawBuilder<unknown>,
  ranges: readonly RawBuilder<unknown>[],
  order: VisibleRange['order'],
  limit: unknown,
): RawBuilder<Row> {
  const inOrder = sql`order by seq ${sql.raw(order)}`;
  // SQLite merges the ranges in any case, PostgreSQL only if each has the order.
  const ordered = ranges.map(
    (range) => sql`select * from (select ${columns} from messages where ${range} ${inOrder}
      ${plannedLimit(limit)}) as found`,
  );
  return sql<Row>`(${sql.join(ordered, sql` union all `)} ${inOrder} limit ${limit})`;
}

/**
 * Whether the partner of a member has taken the chat out of the member's archive, by a message that was not muted.
 * Takes what {@link messageAfterArchivingAt} does.
 */
export function isTakenOutOfArchive(
  member: string,
  partnerId?: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`${messageAfterArchivingAt(member, partnerId)}
    > coalesce(${sql.ref(`${member}.muted_until`)}, 0)`;
}

/**
 * When the partner of a member sent their newest message after the member archived the chat, or null. Includes deleted
 * ones, so that a deletion does not archive the chat again.
 * @param member the table of the membership, or its alias.
 */
export function messageAfterArchivingAt(
  member: string,
  partnerId?: RawBuilder<unknown>,
): RawBuilder<number | null> {
  const archivedSeq = sql.ref(`${member}.archived_seq`);
  const viewpoint = viewpointOf(member, partnerId);
  const ranges = [false, true].map((isDeleted) =>
    isReceived('messages', viewpoint, archivedSeq, isDeleted),
  );
  const newest = firstOf(sql`seq, created_at`, ranges, 'desc', sql.lit(1));
  return sql<number | null>`case when ${archivedSeq} is not null
    then (select newest.created_at from ${newest} as newest) end`;
}

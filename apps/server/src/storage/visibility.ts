import { sql, type RawBuilder } from 'kysely';
import { withoutIndex } from './expressions.ts';

/**
 * Whether the partner of its sender sees a message that is not deleted: it is not withheld, and the
 * partner has not deleted the request that contained it.
 * @param message the table of the message, or its alias.
 * @param partner the table of the partner's membership, or its alias.
 */
export function isVisibleToPartner(message: string, partner: string): RawBuilder<boolean> {
  const [withheld, seq] = [sql.ref(`${message}.withheld`), sql.ref(`${message}.seq`)];
  return sql<boolean>`(${withheld} = 0 and ${seq} > ${sql.ref(`${partner}.cleared_seq`)})`;
}

/**
 * Whether the partner of a member has taken the chat out of the member's archive, by a message that was not muted.
 * Takes what {@link messageAfterArchivingAt} does.
 */
export function isTakenOutOfArchive(
  member: string,
  partnerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`${messageAfterArchivingAt(member, partnerId)}
    > coalesce(${sql.ref(`${member}.muted_until`)}, 0)`;
}

/**
 * When the partner of a member sent their newest message after the member archived the chat, or null. Includes deleted
 * ones, so that a deletion does not archive the chat again.
 * @param member the table of the membership, or its alias.
 * @param partnerId the id of the partner.
 */
export function messageAfterArchivingAt(
  member: string,
  partnerId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  const column = (name: string) => sql.ref(`${member}.${name}`);
  return sql<number | null>`(select later.created_at from messages as later
    where later.chatroom_id = ${column('chatroom_id')} and later.seq > ${column('archived_seq')}
      and ${withoutIndex('later.sender_id')} = ${partnerId}
      and ${isVisibleToPartner('later', member)}
    order by later.seq desc limit 1)`;
}

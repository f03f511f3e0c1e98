import { sql, type RawBuilder } from 'kysely';

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

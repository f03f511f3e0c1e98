import { sql } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticWrite } from '../storage/static-query.ts';

const upsertCount = staticWrite<{ userId: string; day: number; added: number }, { sent: number }>(
  (db, param) =>
    db
      .insertInto('message_counts')
      .values({ user_id: param('userId'), day: param('day'), sent: param('added') })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          day: (eb) => eb.ref('excluded.day'),
          sent: sql<number>`case when message_counts.day = excluded.day
            then message_counts.sent + excluded.sent else excluded.sent end`,
        }),
      )
      .returning('sent'),
);

/** Adds to an account's number of messages on a day and returns it. Days are counted from 1970. */
export async function addToMessageCount(
  trx: Writer,
  userId: string,
  day: number,
  added: number,
): Promise<number> {
  return (await upsertCount(trx, { userId, day, added }))?.sent ?? added;
}

interface RequestCounts {
  messages: number;
  rooms: number;
}

const upsertRequestCounts = staticWrite<
  { userId: string; hour: number; rooms: number },
  RequestCounts
>((db, param) =>
  db
    .insertInto('request_counts')
    .values({ user_id: param('userId'), hour: param('hour'), messages: 1, rooms: param('rooms') })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        hour: (eb) => eb.ref('excluded.hour'),
        messages: sql<number>`case when request_counts.hour = excluded.hour
          then request_counts.messages + 1 else 1 end`,
        rooms: sql<number>`case when request_counts.hour = excluded.hour
          then request_counts.rooms + excluded.rooms else excluded.rooms end`,
      }),
    )
    .returning(['messages', 'rooms']),
);

/**
 * Counts a message of an account to a user who has not accepted it, and `rooms` new chatrooms.
 * Returns the counts of the hour. Hours are counted from 1970.
 */
export async function incrementRequestCounts(
  trx: Writer,
  userId: string,
  hour: number,
  rooms: 0 | 1,
): Promise<RequestCounts> {
  return (await upsertRequestCounts(trx, { userId, hour, rooms })) ?? { messages: 1, rooms };
}

/**
 * Returns the size of an account's uploads in bytes. Those of messages that the user has deleted with their chat count
 * whether or not they are erased, which depends on the partner.
 */
export async function sumMediaBytes(db: Reader, userId: string): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((of) => [
      'cleared_media_bytes',
      of
        .selectFrom('media')
        .select((eb) => eb.fn.sum<number | null>('size').as('bytes'))
        .where('owner_id', '=', userId)
        .as('bytes'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst();
  return (row?.cleared_media_bytes ?? 0) + (row?.bytes ?? 0);
}

/** Returns the number and the size in bytes of all uploads. */
export async function readMediaTotals(db: Reader): Promise<{ files: number; bytes: number }> {
  const row = await db.selectFrom('media_usage').select(['files', 'bytes']).executeTakeFirst();
  return row ?? { files: 0, bytes: 0 };
}

import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { PushSubscriptionsTable } from '../storage/tables/notifications.table.ts';

/** A row of the table `push_subscriptions`. */
export type SubscriptionRow = Selectable<PushSubscriptionsTable>;

/** A subscription with the session that it belongs to. */
export interface DeviceRow extends SubscriptionRow {
  /** `User-Agent` of the login. */
  device: string;
}

/** Finds the subscriptions of a user's unexpired sessions, the newest first. */
export function findDevices(db: Reader, userId: string, now: number): Promise<DeviceRow[]> {
  return db
    .selectFrom('push_subscriptions as subscription')
    .innerJoin('sessions', 'sessions.id', 'subscription.session_id')
    .selectAll('subscription')
    .select('sessions.device')
    .where('subscription.user_id', '=', userId)
    .where('sessions.expires_at', '>', now)
    .orderBy('subscription.created_at', 'desc')
    .orderBy('subscription.session_id')
    .execute();
}

/** Finds the subscription of a session. */
export function findSubscription(
  db: Reader,
  sessionId: string,
): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** Returns whether there is any subscription. */
export async function hasSubscriptions(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select('session_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts the subscription of a session, unless the session has ended. Replaces an earlier one of the
 * session and that of another session with the same endpoint, which the browser used before. Returns
 * whether it was inserted.
 */
export async function replaceSubscription(trx: Writer, row: SubscriptionRow): Promise<boolean> {
  await trx
    .deleteFrom('push_subscriptions')
    .where((eb) =>
      eb.or([eb('session_id', '=', row.session_id), eb('endpoint', '=', row.endpoint)]),
    )
    .execute();
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', row.session_id)
    .executeTakeFirst();
  if (session === undefined) return false;
  await trx.insertInto('push_subscriptions').values(row).execute();
  return true;
}

/** Records that a browser has sent its subscription again. */
export async function touchSubscription(
  trx: Writer,
  sessionId: string,
  now: number,
): Promise<void> {
  await trx
    .updateTable('push_subscriptions')
    .set({ seen_at: now })
    .where('session_id', '=', sessionId)
    .execute();
}

/** Deletes the subscriptions of a user except the `keep` newest ones. */
export async function deleteOldestSubscriptions(
  trx: Writer,
  userId: string,
  keep: number,
): Promise<void> {
  await trx
    .deleteFrom('push_subscriptions')
    .where('session_id', 'in', (query) =>
      query
        .selectFrom('push_subscriptions')
        .select('session_id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('session_id')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(keep),
    )
    .execute();
}

/** Deletes the subscription of a session, or only if it still has an endpoint. */
export async function deleteSubscription(
  trx: Writer,
  sessionId: string,
  endpoint?: string,
): Promise<void> {
  await trx
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', sessionId)
    .$if(endpoint !== undefined, (query) => query.where('endpoint', '=', endpoint ?? ''))
    .execute();
}

/**
 * Records whether the push service has accepted a message for an endpoint. Returns whether there still is
 * such a subscription.
 */
export async function recordOutcome(
  trx: Writer,
  endpoint: string,
  isAccepted: boolean,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('push_subscriptions')
    .set((eb) =>
      isAccepted
        ? { succeeded_at: now, failing_since: null }
        : { failing_since: eb.fn.coalesce('failing_since', eb.val(now)) },
    )
    .where('endpoint', '=', endpoint)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Deletes the subscriptions that their browsers have not sent since `seenBefore`, and those whose push
 * service has refused every message since `failingBefore`. Returns their number.
 */
export async function deleteUnusedSubscriptions(
  trx: Writer,
  seenBefore: number,
  failingBefore: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('push_subscriptions')
    .where((eb) => eb.or([eb('seen_at', '<', seenBefore), eb('failing_since', '<', failingBefore)]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes all subscriptions, and with them what is queued. */
export async function deleteAllSubscriptions(trx: Writer): Promise<void> {
  await trx.deleteFrom('push_subscriptions').execute();
}

/** Counts the subscriptions, and those whose push service has refused messages since a time. */
export async function countSubscriptions(
  db: Reader,
  failingBefore: number,
): Promise<{ total: number; failing: number }> {
  return db
    .selectFrom('push_subscriptions')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn
        .count<number>('session_id')
        .filterWhere('failing_since', '<', failingBefore)
        .as('failing'),
    ])
    .executeTakeFirstOrThrow();
}

/** Finds the subscription of an unexpired session of a user, with the user's language. */
export function findTestDevice(db: Reader, userId: string, sessionId: string, now: number) {
  return db
    .selectFrom('push_subscriptions as device')
    .innerJoin('sessions as session', 'session.id', 'device.session_id')
    .innerJoin('users', 'users.id', 'device.user_id')
    .select(['device.endpoint', 'device.p256dh', 'device.auth', 'device.site', 'users.language'])
    .where('device.session_id', '=', sessionId)
    .where('device.user_id', '=', userId)
    .where('session.expires_at', '>', now)
    .executeTakeFirst();
}

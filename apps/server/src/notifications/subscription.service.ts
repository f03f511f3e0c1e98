import { LIMITS, type Notifications, type PushSubscriptionBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import type { CurrentSession } from '../plugins/current-session.ts';
import { Rollback } from '../storage/storage.ts';
import { areUsableKeys } from './push-encryption.ts';
import { parseEndpoint } from './push-endpoint.ts';
import * as repository from './subscription.repository.ts';

/** Milliseconds within which it is not stored again that a browser has sent its subscription. */
const TOUCH_INTERVAL = 60 * 60 * 1000;

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds after which a subscription that its browser has not sent again is deleted. */
const UNUSED_AFTER = 60 * DAY;
/** Milliseconds after which a subscription whose messages are all refused is deleted. */
const FAILING_MAX = 7 * DAY;

/** Returns the devices of a user with push messages, the newest first. */
export async function listDevices(
  { storage }: Pick<Context, 'storage'>,
  { userId, sessionId }: CurrentSession,
): Promise<Notifications['devices']> {
  const rows = await storage.read((db) => repository.findDevices(db, userId, Date.now()));
  return rows.map((row) => ({
    sessionId: row.session_id,
    device: row.device,
    isCurrent: row.session_id === sessionId,
    service: new URL(row.endpoint).hostname,
    subscribedAt: new Date(row.created_at).toISOString(),
  }));
}

/**
 * Stores the subscription of a session. `site` is the origin of the page.
 * @throws {AppError} `push_endpoint_refused`, `invalid_request`, `unauthenticated`
 */
export async function subscribe(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  { userId, sessionId }: CurrentSession,
  site: string,
  { endpoint: text, keys: { p256dh, auth } }: PushSubscriptionBody,
): Promise<void> {
  const endpoint = parseEndpoint(text, config.pushOrigins)?.href;
  // Normalizing can make it longer.
  if (endpoint === undefined || endpoint.length > LIMITS.pushEndpointMax) {
    throw new AppError('push_endpoint_refused');
  }
  if (!areUsableKeys({ p256dh, auth })) throw new AppError('invalid_request');
  await storage.write(async ({ trx, emit }) => {
    const now = Date.now();
    const known = await repository.findSubscription(trx, sessionId);
    const isKnown =
      known?.endpoint === endpoint &&
      known.p256dh === p256dh &&
      known.auth === auth &&
      known.site === site;
    if (isKnown) {
      if (now - known.seen_at < TOUCH_INTERVAL) return new Rollback(undefined);
      return repository.touchSubscription(trx, sessionId, now);
    }
    const isStored = await repository.replaceSubscription(trx, {
      session_id: sessionId,
      user_id: userId,
      endpoint,
      p256dh,
      auth,
      site,
      created_at: now,
      seen_at: now,
      succeeded_at: null,
      failing_since: null,
    });
    if (!isStored) throw new AppError('unauthenticated');
    await repository.deleteOldestSubscriptions(trx, userId, LIMITS.pushDevicesMax);
    emit({ type: 'push-subscribed' });
  });
}

/** Deletes the subscription of a session, if there is one. */
export async function unsubscribe(
  { storage }: Pick<Context, 'storage'>,
  sessionId: string,
): Promise<void> {
  await storage.write(({ trx }) => repository.deleteSubscription(trx, sessionId));
}

/** Deletes subscriptions that are no longer used or do not work. Returns their number. */
export function deleteUnused({ storage }: Pick<Context, 'storage'>): Promise<number> {
  const now = Date.now();
  return storage.write(
    async ({ trx }) => {
      const count = await repository.deleteUnusedSubscriptions(
        trx,
        now - UNUSED_AFTER,
        now - FAILING_MAX,
      );
      return count === 0 ? new Rollback(count) : count;
    },
    { isConcurrent: true },
  );
}

/** Deletes all subscriptions in a copy of a database. */
export function deleteAll({ write }: Pick<Context['storage'], 'write'>): Promise<void> {
  return write(({ trx }) => repository.deleteAllSubscriptions(trx));
}

/** Counts the subscriptions, and those whose push service has refused messages for a day or more. */
export function countDevices({
  storage,
}: {
  storage: Pick<Context['storage'], 'read'>;
}): Promise<{ total: number; failing: number }> {
  return storage.read((db) => repository.countSubscriptions(db, Date.now() - DAY));
}

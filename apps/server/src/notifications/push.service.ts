import type { PushTestResponse } from '@parley/contract';
import { toLanguage } from '@parley/texts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { addGauge } from '../metrics/metrics.ts';
import type { CurrentSession } from '../plugins/current-session.ts';
import { loadSecret } from '../storage/secret.ts';
import type { Job } from '../storage/cluster.ts';
import { createViewTracker, type ViewTracker } from './view-tracker.ts';
import { createTestContent } from './push-content.ts';
import { createPushDelivery, createTopic } from './push-delivery.ts';
import { countPushes } from './push-queue.repository.ts';
import { startPushRecorder } from './push-recorder.ts';
import { sendQueuedPushes } from './push-sender.ts';
import { createPushTransport } from './push-transport.ts';
import { deleteSubscription, findTestDevice, recordOutcome } from './subscription.repository.ts';
import { countUnread } from './unread.repository.ts';
import { contactOf, createVapid } from './vapid.ts';

/** Notifies users on devices that do not show the app. */
export interface Push {
  /** The key to which browsers bind their subscriptions. */
  readonly publicKey: string;
  /** What users have in view, as their live connections report it. */
  readonly views: ViewTracker;
  /** Sends queued notifications. */
  readonly job: Job;
  /**
   * Sends a test to a session of the current user, and waits for the push service.
   * @throws {AppError} `not_found`, `rate_limited`
   */
  test(session: CurrentSession, sessionId: string): Promise<PushTestResponse>;
  stop(): Promise<void>;
}

/** Maximum number of tests at the same time. Each may wait for a slow push service. */
const TESTS_MAX = 20;
/** Seconds after which a test is worth another attempt. */
const TEST_RETRY = 10;

/** Starts to record what users are to be notified of. */
export async function startPush(ctx: Context): Promise<Push> {
  const { config, storage, cluster, events, log, metrics } = ctx;
  const vapid = createVapid(await loadSecret(storage, 'vapid'), contactOf(config));
  const transport = createPushTransport({ allowed: config.pushOrigins });
  const delivery = createPushDelivery(transport, vapid, metrics);
  const views = createViewTracker(ctx);
  const recorder = startPushRecorder(ctx, views);
  addGauge(metrics, 'parley_push_queue', 'Notifications waiting to be sent', () =>
    storage.read(countPushes),
  );
  let tests = 0;

  async function sendTest(
    { userId }: CurrentSession,
    sessionId: string,
  ): Promise<PushTestResponse['result']> {
    const now = Date.now();
    const [device, unread] = await storage.read(
      async (db) =>
        [
          await findTestDevice(db, userId, sessionId, now),
          await countUnread(db, userId, now),
        ] as const,
    );
    if (device === undefined) throw new AppError('not_found');
    const { endpoint, p256dh, auth, site } = device;
    const { json } = createTestContent(toLanguage(device.language), site, unread);
    const topic = createTopic(sessionId, 'test');
    const message = { endpoint, keys: { p256dh, auth }, json, topic, isUrgent: true };
    const { result } = await delivery.deliver(message);
    await storage.write(
      async ({ trx }) => {
        if (result === 'ended') await deleteSubscription(trx, sessionId, endpoint);
        else await recordOutcome(trx, endpoint, result === 'accepted', Date.now());
      },
      { isConcurrent: true },
    );
    return result;
  }

  return {
    publicKey: vapid.publicKey,
    views,
    job: (signal) => sendQueuedPushes({ storage, cluster, log, events, views, delivery }, signal),
    async test(session, sessionId) {
      if (tests >= TESTS_MAX) throw new AppError('rate_limited', { retryAfter: TEST_RETRY });
      tests += 1;
      try {
        return { result: await sendTest(session, sessionId) };
      } finally {
        tests -= 1;
      }
    },
    async stop() {
      views.stop();
      await recorder.stop();
      transport.close();
    },
  };
}

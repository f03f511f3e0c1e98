import { readSubscription, subscribeToPush } from '../subscribe-to-push.ts';
import { request } from './worker-requests.ts';

declare const self: ServiceWorkerGlobalScope;

/** Subscribes again after the browser or its push service has ended a subscription. */
export async function renewSubscription(): Promise<void> {
  const notifications = await request('getNotifications');
  // Without a session there is nothing to notify of. Without a connection, the next page subscribes.
  if (!notifications) return;
  const { pushManager } = self.registration;
  const subscription = await subscribeToPush(pushManager, notifications.publicKey);
  await request('subscribePush', { body: readSubscription(subscription) });
}

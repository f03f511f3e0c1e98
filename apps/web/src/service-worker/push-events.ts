import { handleNotificationClick } from './notification-clicks.ts';
import { renewSubscription } from './renew-subscription.ts';
import { recordDismissed, showPush } from './show-push.ts';

declare const self: ServiceWorkerGlobalScope;

/** Settles once the previous push message is shown. The next one may close its notification. */
let shown: Promise<void> = Promise.resolve();

function handlePush(event: PushEvent): void {
  const next = shown.then(() => showPush(event));
  shown = next.catch(() => undefined);
  event.waitUntil(next);
}

/** Starts to show push messages, and to handle taps on notifications of this origin. */
export function listenToPush(): void {
  self.addEventListener('push', handlePush);
  self.addEventListener('notificationclick', (event) =>
    event.waitUntil(handleNotificationClick(event)),
  );
  self.addEventListener('notificationclose', ({ notification }) => recordDismissed(notification));
  self.addEventListener('pushsubscriptionchange', (event) =>
    (event as ExtendableEvent).waitUntil(renewSubscription()),
  );
}

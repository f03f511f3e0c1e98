import type { PushPort, PushSupport } from '@parley/renderer/host';
import { readSubscription, subscribeToPush } from './subscribe-to-push.ts';

/** How long the browser may take to reach its push service. Milliseconds. */
const SUBSCRIBE_MAX = 30_000;

/** Creates the port for the push messages of this browser. */
export function createPushPort(): PushPort {
  return {
    support: findSupport(),
    subscribe: async (publicKey) => {
      const { pushManager } = await withinTime(navigator.serviceWorker.ready);
      return readSubscription(await withinTime(subscribeToPush(pushManager, publicKey)));
    },
    unsubscribe: async () => {
      try {
        const registration = await navigator.serviceWorker.getRegistration();
        const subscription = await registration?.pushManager.getSubscription();
        await subscription?.unsubscribe();
      } catch {
        // The server has ended it, too.
      }
    },
  };
}

function findSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure';
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window;
  if (isSupported && 'Notification' in window) return 'supported';
  // Only Safari on iPhones and iPads has this property.
  const isInBrowser = 'standalone' in navigator && navigator.standalone === false;
  return isInBrowser ? 'needs-installation' : 'unsupported';
}

/** Settles like a task, or rejects once it takes too long, as it does without the browser's push service. */
function withinTime<T>(task: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timed out')), SUBSCRIBE_MAX);
    task.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

import type { PushSubscriptionBody } from '@parley/contract';

/**
 * Returns the browser's subscription for the server's key, which is created if there is none. One for
 * another key is replaced, as the server could not use it.
 */
export async function subscribeToPush(
  manager: PushManager,
  publicKey: string,
): Promise<PushSubscription> {
  const key = decodeKey(publicKey);
  const existing = await manager.getSubscription();
  if (existing && isSame(existing.options.applicationServerKey, key)) return existing;
  await existing?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Returns what the server needs of a subscription.
 * @throws if the browser does not tell its keys
 */
export function readSubscription(subscription: PushSubscription): PushSubscriptionBody {
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON();
  if (endpoint === undefined || p256dh === undefined || auth === undefined) {
    throw new Error('the push subscription has no keys');
  }
  return { endpoint, keys: { p256dh, auth } };
}

function decodeKey(base64Url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(buffer: ArrayBuffer | null, key: Uint8Array): boolean {
  const bytes = new Uint8Array(buffer ?? new ArrayBuffer(0));
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

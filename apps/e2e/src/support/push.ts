import type { PushData, PushPayload, PushSubscriptionBody } from '@parley/contract';
import type { BrowserContext, Page, Worker } from 'playwright/test';
import type { BrowserSubscriptionKeys } from './loopback-push-service.ts';

/** A notification as the browser shows it. */
export interface ListedNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly lang: string;
  readonly silent: boolean | null;
  readonly actions: readonly string[];
}

/**
 * Lets the pages of a context subscribe to push messages. Without the vendor's push service, Chromium's own
 * `subscribe` never settles.
 */
export async function stubPushManager(
  context: BrowserContext,
  endpoint: string,
  keys: BrowserSubscriptionKeys,
): Promise<void> {
  await context.addInitScript(
    (json) => {
      const key = 'test.subscription';
      const read = (): PushSubscription | null => {
        const applicationServerKey = localStorage.getItem(key);
        if (applicationServerKey === null) return null;
        const bytes = Uint8Array.from(JSON.parse(applicationServerKey) as number[]);
        return {
          endpoint: json.endpoint,
          options: { userVisibleOnly: true, applicationServerKey: bytes.buffer },
          toJSON: () => json,
          unsubscribe: async () => {
            localStorage.removeItem(key);
            return true;
          },
        } as unknown as PushSubscription;
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => read(),
        subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
          const bytes = [...new Uint8Array(applicationServerKey as ArrayBuffer)];
          localStorage.setItem(key, JSON.stringify(bytes));
          return read();
        },
      });
    },
    await toSubscription(endpoint, keys),
  );
}

/** Returns a subscription as browsers report it. */
export async function toSubscription(
  endpoint: string,
  { keyPair, auth }: BrowserSubscriptionKeys,
): Promise<PushSubscriptionBody> {
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey));
  const p256dh = publicKey.toString('base64url');
  return { endpoint, keys: { p256dh, auth: Buffer.from(auth).toString('base64url') } };
}

/** Waits for the active service worker of a page's browser. */
export async function findWorker(page: Page): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const [worker] = page.context().serviceWorkers();
  return worker ?? page.context().waitForEvent('serviceworker');
}

/** Delivers push messages to the service worker of a page, as the browser does for its push service. */
export async function openPushChannel(page: Page): Promise<(data: string) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registration;
  const { origin } = new URL(page.url());
  return async (data) => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

interface PushMessage extends Partial<PushData> {
  readonly title?: string;
  readonly body?: string;
  readonly tag?: string;
  readonly lang?: string;
  readonly navigate?: string;
  readonly silent?: true;
}

/** Creates the content of a push message, as the server does. */
export function pushContent(origin: string, message: PushMessage): string {
  const { title = 'Bob', body = 'New message', lang = 'en', silent, ...rest } = message;
  const { user = 'Bob', chatroom = 'room', type = 'message', seq = 1, unread = 1 } = rest;
  const { read = [] } = rest;
  const room = `${origin}/chatarea/chats/${chatroom}`;
  const payload: PushPayload = {
    web_push: 8030,
    notification: {
      title,
      body,
      lang,
      dir: 'auto',
      tag: rest.tag ?? (type === 'reaction' ? `${chatroom}/reaction` : chatroom),
      navigate: rest.navigate ?? room,
      ...(silent && { silent }),
      app_badge: String(unread),
      data: { type, user, chatroom, seq, unread, read },
      ...(type === 'message' && {
        actions: [
          { action: 'reply', title: 'Reply', navigate: `${room}?reply` },
          { action: 'read', title: 'Mark as read', navigate: room },
        ],
      }),
    },
    app_badge: unread,
    mutable: true,
  };
  return JSON.stringify(payload);
}

/** Returns the notifications that a page's browser shows, in the order of their tags. */
export function shownNotifications(page: Page): Promise<ListedNotification[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    // The app takes this lock too, as Chromium forgets what is shown while another call lists notifications.
    const shown = await navigator.locks.request('parley-notifications', () =>
      registration.getNotifications(),
    );
    return shown
      .map((notification) => ({
        title: notification.title,
        body: notification.body,
        tag: notification.tag,
        lang: notification.lang,
        silent: notification.silent,
        actions:
          (notification as { actions?: { title: string }[] }).actions?.map(({ title }) => title) ??
          [],
      }))
      .toSorted((a, b) => a.tag.localeCompare(b.tag));
  });
}

/**
 * Taps on the notification with a tag, or on one of its buttons. Tests cannot reach the system's notifications,
 * so the event is dispatched in the worker.
 */
export async function tapNotification(
  worker: Worker,
  tag: string,
  { action = '', reply }: { action?: string; reply?: string } = {},
): Promise<void> {
  await worker.evaluate(
    async (tapped) => {
      const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
      const [notification] = await navigator.locks.request('parley-notifications', () =>
        scope.registration.getNotifications({ tag: tapped.tag }),
      );
      if (!notification) throw new Error(`no notification with the tag ${tapped.tag}`);
      const event = new scope.NotificationEvent('notificationclick', {
        notification,
        action: tapped.action,
      });
      if (tapped.reply !== undefined)
        Object.defineProperty(event, 'reply', { value: tapped.reply });
      scope.dispatchEvent(event);
    },
    { tag, action, reply },
  );
}

/** The parts of a service worker's global scope that tests use. */
interface ServiceWorkerGlobalScopeLike extends EventTarget {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (
    type: string,
    init: { notification: Notification; action: string },
  ) => Event;
}

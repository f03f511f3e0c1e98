// Chromium forgets a notification that is shown while another call lists those that are shown: it stays on the
// screen, but neither a page nor the service worker finds it to close it. So they show and list one at a time.

const LOCK = 'parley-notifications';
/** How long a call waits for the others, as the system may suspend a page that has the lock. Milliseconds. */
const WAIT_MAX = 3_000;

/** Shows a notification of the service worker. */
export function showNotification(
  registration: ServiceWorkerRegistration,
  title: string,
  options: NotificationOptions,
): Promise<void> {
  return runAlone(() => registration.showNotification(title, options));
}

/** Returns the notifications of the service worker that are shown: none without a service worker. */
export async function listNotifications(
  registration: ServiceWorkerRegistration | undefined,
  filter?: GetNotificationOptions,
): Promise<Notification[]> {
  return registration ? runAlone(() => registration.getNotifications(filter)) : [];
}

/** Runs a task while no page of this origin and no service worker runs another one. */
async function runAlone<T>(task: () => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), WAIT_MAX);
  const start = (): Promise<T> => {
    clearTimeout(timer);
    return task();
  };
  try {
    return await navigator.locks.request(LOCK, { signal: waiting.signal }, start);
  } catch (error) {
    if (!waiting.signal.aborted) throw error;
    return task();
  }
}

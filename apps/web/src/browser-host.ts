import type { Host, MicrophoneState } from '@parley/renderer/host';
import type { SharedContentStore } from '@parley/renderer/shared-content';
import { createNotifications } from './notifications.ts';
import { createPageUpdates } from './page-updates.ts';
import { watchResume } from './watch-resume.ts';
import { createPushPort } from './push-port.ts';
import { serviceWorkers } from './service-workers.ts';
import { listenToWorker } from './worker-messages.ts';

/** Creates the host for a browser tab, whose page has the server's origin. */
export function createBrowserHost(): Host {
  const updates = createPageUpdates();
  return {
    serverOrigin: location.origin,
    setBadge,
    microphoneState,
    onResume: watchResume,
    // Its service worker receives the content.
    ...(updates && { updates, sharedContent: createLazySharedContent() }),
    ...createNotifications(findNotificationApi(), findRegistration),
    ...listenToWorker(serviceWorkers()),
    push: createPushPort(),
  } satisfies Host;
}

/** Returns the browser's notification API; undefined on some phones and without HTTPS. */
function findNotificationApi(): typeof Notification | undefined {
  return 'Notification' in window && window.isSecureContext ? Notification : undefined;
}

/** Returns the store of shared content, whose code is loaded when it is used. */
function createLazySharedContent(): SharedContentStore {
  const open = async (): Promise<SharedContentStore> =>
    (await import('./shared-content/shared-content-cache.ts')).createSharedContentStore();
  return {
    list: async (username) => (await open()).list(username),
    read: async (id, username) => (await open()).read(id, username),
    remove: async (id) => (await open()).remove(id),
    clear: async () => (await open()).clear(),
  };
}

/** Finds the registration of an active service worker. */
async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await serviceWorkers()
    ?.getRegistration()
    .catch(() => undefined);
  return registration?.active ? registration : undefined;
}

function setBadge(count: number): void {
  // Only installed applications have an icon with a badge. In other pages the call rejects, which is ignored.
  const browser: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator;
  const done = count > 0 ? browser.setAppBadge?.(count) : browser.clearAppBadge?.();
  done?.catch(() => undefined);
}

async function microphoneState(): Promise<MicrophoneState> {
  if (!window.isSecureContext) return 'insecure';
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || !('MediaRecorder' in window)) return 'unsupported';
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' });
    return state === 'denied' ? 'denied' : 'available';
  } catch {
    // Browsers that cannot query the permission request it when the recording starts.
    return 'available';
  }
}

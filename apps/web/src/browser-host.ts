import type { Host, MicrophoneState } from '@parley/renderer/host';
import { createNotifications } from './notifications.ts';
import { createPageUpdates } from './page-updates.ts';

/** Creates the host for a browser tab, whose page has the server's origin. */
export function createBrowserHost(): Host {
  const updates = createPageUpdates();
  return {
    serverOrigin: location.origin,
    setBadge,
    microphoneState,
    ...(updates && { updates }),
    ...createNotifications(findNotificationApi()),
  } satisfies Host;
}

/** Returns the browser's notification API; undefined on some phones and without HTTPS. */
function findNotificationApi(): typeof Notification | undefined {
  return 'Notification' in window && window.isSecureContext ? Notification : undefined;
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

import type { Host, MicrophoneState } from '@parley/renderer/host';
import { createNotifications } from './notifications.ts';
import { createPageUpdates } from './page-updates.ts';

/** The application in a browser tab, at the server's own origin. */
export function createBrowserHost(): Host {
  const updates = createPageUpdates();
  return {
    serverOrigin: location.origin,
    setBadge,
    microphoneState,
    ...(updates && { updates }),
    ...createNotifications(notificationApi()),
  } satisfies Host;
}

/** The browser's notifications; missing on some phones and without https. */
function notificationApi(): typeof Notification | undefined {
  return 'Notification' in window && window.isSecureContext ? Notification : undefined;
}

function setBadge(count: number): void {
  // Only installed applications have an icon to put it on; the others reject, which is fine.
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
    // Browsers that cannot say ask when the recording starts.
    return 'available';
  }
}

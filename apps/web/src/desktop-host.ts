import type { DesktopBridge, DesktopPreferences } from '@parley/contract';
import type { Host, MicrophoneState } from '@parley/renderer/host';
import { createMailbox } from './mailbox.ts';
import { drawUnread } from './unread-picture.ts';

/** The application in the desktop app, whose page has the server's own origin. */
export function createDesktopHost(bridge: DesktopBridge): Host {
  const { features } = bridge.start;
  let preferences: DesktopPreferences = bridge.start.preferences;
  const openings = createMailbox<[chatroom: string]>();
  const replies = createMailbox<[chatroom: string, text: string]>();

  const certificates = createMailbox<[isRefused: boolean]>();
  const resumes = new Set<() => void>();

  bridge.onEvent((event) => {
    if (event.type === 'open-chat') openings.put(event.chatroom);
    else if (event.type === 'reply') replies.put(event.chatroom, event.text);
    else if (event.type === 'certificate') certificates.put(event.isRefused);
    // Without a live connection there is nothing to renew later.
    else for (const listener of resumes) listener();
  });

  const notificationState = () => (preferences.notifications ? 'granted' : 'denied');

  return {
    serverOrigin: location.origin,
    setBadge: (count) => {
      const picture = features.unreadPicture && count > 0 ? drawUnread(count) : undefined;
      bridge.setUnread({ count, ...(picture !== undefined && { picture }) });
    },
    notificationState,
    requestNotifications: async () => {
      preferences = await bridge.setPreferences({ notifications: true });
      return notificationState();
    },
    playsWithoutGesture: true,
    notify: async ({ chatroom, title, body, sound, onNotShown }) => {
      const silent = sound === 'off';
      const outcome = await bridge
        .notify({ chatroom, title, body, silent })
        .catch(() => 'refused' as const);
      if (outcome === 'refused' || outcome === 'unsupported') onNotShown?.();
      return outcome === 'shown' && !silent && features.notificationSound;
    },
    isDoNotDisturb: () => bridge.isDoNotDisturb().catch(() => false),
    withdrawNotification: bridge.withdraw,
    microphoneState: () => microphoneState(bridge),
    device: {
      features,
      get: () => preferences,
      change: async (changed) => {
        preferences = await bridge.setPreferences(changed);
        return preferences;
      },
      testNotification: bridge.testNotification,
      // Wrapped: a click would hand its event over, which cannot cross the bridge.
      openMicrophoneSettings: () => bridge.openMicrophoneSettings(),
      manageServers: () => bridge.manageServers(),
    },
    onOpenChat: openings.listen,
    onReply: replies.listen,
    onResume: (listener) => {
      resumes.add(listener);
      return () => void resumes.delete(listener);
    },
    onCertificate: certificates.listen,
    ...(features.updates && { checkForUpdates: () => bridge.checkForUpdates() }),
    reviewCertificate: () => bridge.reviewCertificate(),
    setLanguage: bridge.setLanguage,
    storageKey: bridge.storageKey,
  } satisfies Host;
}

async function microphoneState(bridge: DesktopBridge): Promise<MicrophoneState> {
  // The person said yes to this server; Chromium hears of it at the next start.
  if (!window.isSecureContext) return 'needs-restart';
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || !('MediaRecorder' in window)) return 'unsupported';
  const state = await bridge.microphone();
  if (state === 'denied') return 'switched-off';
  if (state === 'denied-by-system') return state;
  const devices = await mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === 'audioinput') ? 'available' : 'no-device';
}
